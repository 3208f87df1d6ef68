"""Where the server keeps tables: one interface, with SQLite and PostgreSQL behind it."""
