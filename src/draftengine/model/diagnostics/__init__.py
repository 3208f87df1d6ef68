"""What can be wrong with a file: diagnostics, their catalogue, fixes and output."""
