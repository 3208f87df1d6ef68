"""Card faces, drawn from the card set: one generator for print, for the rulebook and for the browser."""
