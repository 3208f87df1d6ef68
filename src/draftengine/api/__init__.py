"""Games, states and views by name: the interface of the engine for people, bots and programs.

`draftengine` exports the public part. How the engine packs states and numbers cards stays hidden here.
"""
