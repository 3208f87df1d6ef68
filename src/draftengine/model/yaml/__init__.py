"""Reads strict YAML into a tree in which every node has its position in the text."""
