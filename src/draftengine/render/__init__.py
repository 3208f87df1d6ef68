"""Cards, sheets and rulebooks as SVG, HTML, PDF and text."""
