"""The version, in one place."""

__version__ = "0.1.0"
"""Same as the version of the relay that this package comes with."""
