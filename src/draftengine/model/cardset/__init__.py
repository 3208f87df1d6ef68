"""The records that hold a card set, and facts derived from them."""
