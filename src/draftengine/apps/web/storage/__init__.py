"""Storage of tables: one interface, with SQLite and PostgreSQL behind it."""
