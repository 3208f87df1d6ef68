"""Games, states and views by name: the interface of the engine for people, bots and programs.

`draftengine` exports the public part. Nothing here shows how the engine packs or numbers things.
"""
