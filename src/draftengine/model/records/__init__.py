"""Building blocks of the records of a card set."""
