"""SVG and HTML as text: everything is escaped, and equal input gives equal bytes."""
