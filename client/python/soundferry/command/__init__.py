"""The command ``python -m soundferry``."""
