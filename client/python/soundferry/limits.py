"""The limits of the public API that a client acts on; a test compares them with the relay's."""

import re

MAX_PACKAGE_BYTES = 209_715_200
"""Largest size in bytes of all files of a package together."""

MAX_WAIT_SECONDS = 30
"""Longest wait of a long poll."""

MAX_FILE_NAME_LENGTH = 100
"""Largest number of characters of a sound's ``file``."""

FILE_NAME = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\.[Ww][Aa][Vv]")
"""Pattern of a sound's ``file``."""


def is_sound_file_name(name: str) -> bool:
    """Checks whether a name is valid for a sound's ``file``."""
    return len(name) <= MAX_FILE_NAME_LENGTH and FILE_NAME.fullmatch(name) is not None
