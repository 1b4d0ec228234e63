"""The relay's refusals of WAVs: code and sentence (rules U4, E1)."""

from __future__ import annotations

import re
from typing import Dict, Union

_LONGEST_SENTENCE = 80

_SENTENCES: Dict[str, str] = {
    "WAV_NOT_RIFF": "{file}: not a WAV file. Export it as WAV.",
    "WAV_LFS_POINTER": "{file} is a Git LFS pointer: run git lfs pull.",
    "WAV_TAG_IN_FRONT": "{file}: it begins with an ID3 tag. Export it without tags.",
    "WAV_RF64": "{file}: {container} isn't supported. Save it as plain WAV.",
    "WAV_RIFX": "{file}: big-endian WAV. Save it as plain WAV.",
    "WAV_NO_FORMAT": "{file}: no format chunk. Export it again.",
    "WAV_FORMAT_BROKEN": "{file}: broken format chunk. Export it again.",
    "WAV_FORMAT_AFTER_DATA": "{file}: its format comes after its audio. Export it again.",
    "WAV_COMPRESSED": "{file}: its codec is {codec}. Export it as PCM WAV.",
    "WAV_FLOAT_UNSUPPORTED": "{file}: {bits}-bit float. Export it as 32-bit float.",
    "WAV_BITS_UNSUPPORTED": "{file}: {bits}-bit. Export it with 16, 24 or 32 bits.",
    "WAV_CHANNELS_UNSUPPORTED": "{file}: {channels} channels. Export it as mono or stereo.",
    "WAV_RATE_UNSUPPORTED": "{file}: sample rate {rate} Hz. Export it at 44.1 to 192 kHz.",
    "WAV_BLOCK_ALIGN_WRONG": "{file}: its block align is {got}, not {expected}. Re-save it.",
    "WAV_NO_DATA": "{file}: contains no audio. Export it again.",
    "WAV_STREAMED": "{file}: its header has no length: it was streamed. Re-save it.",
    "WAV_LENGTH_WRONG": "{file}: its header has a wrong length. Re-save it.",
    "WAV_CUT_SHORT": "{file}: the file is incomplete. Export it again.",
}
_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+"
)


class WavRefused(Exception):
    """A WAV that no relay accepts."""

    def __init__(self, code: str, **params: Union[str, int]) -> None:
        super().__init__(code)
        self.code = code
        self._params = params

    def sentence(self, file: str) -> str:
        """Returns the relay's sentence with the sound's name, which is shortened until the sentence fits."""
        template = _SENTENCES[self.code]
        rest = template.replace("{file}", "").format(**self._params)
        shown = _shorten(_CONTROLS.sub(" ", file), _LONGEST_SENTENCE - len(rest))
        return template.format(file=shown, **self._params)


def _shorten(text: str, longest: int) -> str:
    """Truncates to a number of UTF-16 units, ``…`` included, without splitting a character."""
    if _units(text) <= longest:
        return text
    kept = text[: longest - 1]
    while _units(kept) > longest - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
