"""What the commands show in a terminal: one module a kind of page."""
