"""Strict YAML as a tree in which every node knows its place."""
