"""Full-screen application in the terminal: tables, replays and score sheets of every game.

Messages are shared with `draftengine.apps.terminal`, which shows the table line by line. Screens are drawn from a
seat's view. The library that draws them, Textual, is an optional dependency, so nothing here is imported before it is
needed.
"""
