"""Card faces, drawn from what the card set says: the one generator for print, for the rulebook and for the browser."""
