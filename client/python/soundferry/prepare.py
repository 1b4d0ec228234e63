"""Prepares a package for its announcement, so that whatever fails early costs nothing (rule W13)."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict, List, Mapping, Optional

from .answers import Me
from .cancellation import Cancellation
from .draft import DescribedPackage
from .errors import Problem, SoundferryError
from .limits import MAX_PACKAGE_BYTES
from .progress import OnProgress, ProgressCounter
from .sounds import hash_sound
from .wav_header import check_wav
from .wav_refusals import WavRefused


def check_sounds(package: DescribedPackage) -> None:
    """Checks the sounds' size together, and reads their headers as the relay will.

    :raises SoundferryError: ``TOTAL_TOO_LARGE``; ``SOUNDS_REFUSED`` with every bad sound in ``problems``
    """
    if package.size > MAX_PACKAGE_BYTES:
        limit = f"a package can have at most {MAX_PACKAGE_BYTES // 1024**2} MB."
        sentence = f"These sounds are too large together: {limit}"
        raise SoundferryError(sentence, code="TOTAL_TOO_LARGE")
    problems: List[Problem] = []
    for each in package.sounds:
        try:
            check_wav(each.content.read, each.content.size)
        except WavRefused as refused:
            code, sentence = refused.code, refused.sentence(each.name)
        except SoundferryError as error:
            code, sentence = error.code, str(error)
        else:
            continue
        problems.append(Problem(sentence, code, each.id, each.file, position=each.position))
    if problems:
        sentence = " ".join(each.message for each in problems)
        if len(problems) > 1:
            sentence = f"{len(problems)} sounds can't be sent. {sentence}"
        raise SoundferryError(
            sentence, code="SOUNDS_REFUSED", problems=problems, about=problems[0]
        )


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


def hash_package(
    package: DescribedPackage, on_progress: Optional[OnProgress], cancellation: Cancellation
) -> Mapping[str, Any]:
    """Hashes the sounds one after another, and returns the manifest."""
    counter = ProgressCounter("hashing", package.sounds, on_progress)
    items: List[Dict[str, Any]] = []
    for each in package.sounds:
        digest = hash_sound(each.content, partial(counter.count, each), cancellation)
        items.append({**each.item, "bytes": each.content.size, "sha256": digest})
    return {**package.head, "items": items}
