"""The command line: one module for each command. Slow imports are made inside functions."""
