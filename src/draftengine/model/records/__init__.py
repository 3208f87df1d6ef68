"""The base class of the records of a card set, how they are read, and the values that they have."""
