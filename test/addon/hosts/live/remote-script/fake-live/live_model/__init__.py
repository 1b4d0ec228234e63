"""The fake Live's model of a Set and its behavior."""
