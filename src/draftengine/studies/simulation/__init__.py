"""Simulations of millions of games: runs of chunks, statistics from their counts, and reports."""
