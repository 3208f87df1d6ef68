"""The tables of codes, one module for each phase that makes findings. `catalogue` puts them together."""
