"""What the fake Live knows about a Set, and how it behaves."""
