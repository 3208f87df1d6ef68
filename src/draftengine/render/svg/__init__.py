"""SVG and HTML by hand: elements as text, everything escaped, and the same input always gives the same bytes."""
