"""Code that all front ends share: sessions, saved games, replays, score sheets, and the table as data."""
