"""Card faces, drawn from the card set, for print, for the rulebook and for the browser."""
