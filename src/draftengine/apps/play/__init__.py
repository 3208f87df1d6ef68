"""What every front end shares: sessions, saves, replays, score books, and the table as data."""
