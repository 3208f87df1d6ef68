"""The table as a full-screen application in the terminal: games, replays and score sheets. It knows no game.

What is said in words comes from `draftengine.apps.terminal`, which is the same table line by line; what is drawn
follows from a seat's view. Textual, which draws, is an extra, so nothing here is imported before somebody wants it.
"""
