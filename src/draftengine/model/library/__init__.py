"""Finds and opens card sets by name."""
