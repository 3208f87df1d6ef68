"""Language server for card sets: what editors show, complete and change while somebody writes one."""
