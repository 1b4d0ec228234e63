"""Soundferry's control surface, the importer's part inside Live. Its contract is docs/use/live.md."""
from .surface import Surface as create_instance  # Live calls it with a c_instance.
