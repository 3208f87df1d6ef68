"""The rules engine: a card set is compiled to a program, and the kernel plays it on a state record."""
