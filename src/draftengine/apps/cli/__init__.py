"""The command line: one module for each command; what takes long to import is imported where it is used."""
