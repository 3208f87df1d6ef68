"""Many games played to answer a question, and reports of the answers."""
