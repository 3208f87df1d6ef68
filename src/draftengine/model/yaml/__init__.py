"""Reads strict YAML into a tree in which every node knows its place in the text."""
