"""Findings about card-set files: their data, the catalogue of their codes, and suggestions."""
