"""Games, states and views by name: the interface for people, bots and programs above the engine.

`draftengine` exports the public part. Nothing here shows how the engine packs or numbers things.
"""
