"""The limits of the public API that a client acts on; a test compares them with the relay's."""

import re

MAX_PACKAGE_BYTES = 209_715_200
"""Bytes of all files of a package together."""

MAX_WAIT_SECONDS = 30
"""Longest wait of a long-poll."""

MAX_FILE_NAME_LENGTH = 100
"""Characters of a sound's ``file``."""

FILE_NAME = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\.[Ww][Aa][Vv]")
"""What a sound's ``file`` looks like."""


def is_sound_file_name(name: str) -> bool:
    """Whether a name is valid for a sound's ``file``."""
    return len(name) <= MAX_FILE_NAME_LENGTH and FILE_NAME.fullmatch(name) is not None
