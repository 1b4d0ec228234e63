"""Pairing codes as people type them."""

from __future__ import annotations

import re
import unicodedata
from typing import Optional

# NFKC makes up to 18 characters of one.
_MAX_TYPED_LENGTH = 200


def parse_pairing_code(text: str) -> Optional[str]:
    """Parses a code in any width (NFKC) and letter case; None if it isn't one.

    Drops everything but Latin letters and digits (rule P3).
    """
    if len(text) > _MAX_TYPED_LENGTH:
        return None
    # Dropped before the letter case, because capitals of other letters may be Latin.
    code = re.sub("[^0-9A-Za-z]", "", unicodedata.normalize("NFKC", text)).upper()
    return code if re.fullmatch("[2-9A-HJKMNP-Z]{6}", code) else None
