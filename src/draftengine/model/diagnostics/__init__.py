"""Diagnostics of card-set files: their data, catalogue, fixes and suggestions."""
