"""The base of the records of a card set, and the values that they consist of."""
