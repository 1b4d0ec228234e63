"""Soundferry's control surface: the importer's hands inside Live. docs/use/live.md has the contract."""
from .surface import Surface as create_instance  # Live calls it with a c_instance.
