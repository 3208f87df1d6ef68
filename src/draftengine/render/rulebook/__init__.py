"""The printed rulebook of a card set: what stands in it (`contents`), and how it looks as text, Markdown and HTML."""
