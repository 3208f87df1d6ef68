"""Which value of a parameter brings a figure to a target."""
