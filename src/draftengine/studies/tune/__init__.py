"""Tuning: finds the value of a number that brings a figure of a game to a target."""
