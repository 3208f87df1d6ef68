"""Games, states and views by name: everything that people, bots and programs above the engine use.

`draftengine` exports what is public. Nothing here shows how the engine packs or numbers things.
"""
