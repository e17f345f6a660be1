"""What CI runs: one reader for each kind of file, and the commands in them."""
