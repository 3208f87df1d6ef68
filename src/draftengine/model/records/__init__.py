"""What the records of a card set are made of."""
