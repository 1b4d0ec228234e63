"""Names of sounds in errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Mapping, Optional

from .draft import DescribedSound
from .errors import SoundferryError


def name_sounds(
    error: SoundferryError, sounds: Mapping[str, DescribedSound], file: Optional[str] = None
) -> None:
    """Completes an error about a sound, and has its sentences name the sound as the person does (rules W13, W16).

    :param sounds: the package's sounds by ``file``
    :param file: the file that was uploaded
    """
    about = sounds.get(error.file or file or "")
    if about is not None:
        error.sound, error.file, error.position = about.id, about.file, about.position
        error.args = (_with_own_name(str(error), about),)
    error.problems = tuple(
        replace(each, message=_with_own_name(each.message, sounds.get(each.file or "")))
        for each in error.problems
    )


def _with_own_name(sentence: str, sound: Optional[DescribedSound]) -> str:
    """Replaces the file's name in a sentence, which the relay may have shortened."""
    if sound is None:
        return sentence
    label = sentence.split(": ", 1)[0]
    is_file = sound.file.startswith(label[:-1]) if label.endswith("…") else label == sound.file
    return f"{sound.name}{sentence[len(label):]}" if is_file else sentence
