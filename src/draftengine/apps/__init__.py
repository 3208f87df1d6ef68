"""Programs for people: the command line, terminal, full screen, browser and language server."""
