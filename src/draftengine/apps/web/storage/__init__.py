"""Storage of tables: one interface, implemented for SQLite and PostgreSQL."""
