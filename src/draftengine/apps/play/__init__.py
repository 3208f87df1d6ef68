"""Code that all front ends share: sessions, saves, replays, score books, and the table as data."""
