"""What the program promises, under force: `make torture`, `make torture PART=kill9 SCALE=0.1`."""
