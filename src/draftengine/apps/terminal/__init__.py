"""Games in a terminal or a pipe, line by line: people and bots, undo, and saved games."""
