"""People at a table: a game in a terminal or a pipe, with bots, undo, and saved games."""
