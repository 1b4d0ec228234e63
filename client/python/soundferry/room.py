"""Whether a package certainly finds no room."""

from __future__ import annotations

from .answers import Me
from .errors import SoundferryError


def check_room(me: Me, total_bytes: int) -> None:
    """Fails before anything is hashed if there is no room. The announcement judges the rest.

    :raises SoundferryError: ``ROOM_TOO_SMALL``
    """
    room, name = me.room, me.device_name
    if room is None:
        return
    if room.waiting_left < 1:
        _refuse(f"Many packages wait at {name}. Click Import first.")
    if total_bytes > room.package_bytes_max:
        _refuse(f"These sounds are too large together for {name}.")
    if total_bytes > room.bytes_left:
        left = max(0, room.bytes_left) // 1024**2
        _refuse(f"{name} has room for {left} MB, and these sounds need more. Click Import first.")


def _refuse(sentence: str) -> None:
    raise SoundferryError(sentence, code="ROOM_TOO_SMALL")
