"""The frozen records of a card set, and facts derived from them."""
