"""Comparisons: two card sets are played with equal seeds to measure what a change of the rules does."""
