"""Language server for card sets: findings, explanations, completions and edits for editors."""
