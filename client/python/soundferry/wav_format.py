"""Judges the chunks ``fmt `` and ``data`` of a WAV as the relay does (rule U4)."""

from __future__ import annotations

import math
import struct
from typing import Dict, Optional

from .limits import MAX_PACKAGE_BYTES
from .wav_refusals import WavRefused

SHORTEST_FORMAT_BYTES = 16
LONGEST_FORMAT_BYTES = 40
"""A whole WAVE_FORMAT_EXTENSIBLE."""

_PCM, _FLOAT, _EXTENSIBLE = 0x0001, 0x0003, 0xFFFE
_GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")
_MAX_RATE_HZ = 192_000
_CODECS: Dict[int, str] = {
    0x0002: "MS ADPCM",
    0x0006: "A-law",
    0x0007: "mu-law",
    0x0011: "IMA ADPCM",
    0x0022: "TrueSpeech",
    0x0031: "GSM 6.10",
    0x0040: "G.721 ADPCM",
    0x0050: "MPEG",
    0x0055: "MP3",
    0x0064: "G.726 ADPCM",
    0x0092: "AC-3",
    0x00FF: "AAC",
    0x0160: "WMA",
    0x0161: "WMA",
    0x0162: "WMA Pro",
    0x0163: "WMA Lossless",
    0x0270: "ATRAC3",
    0x1600: "AAC",
    0x1610: "AAC",
    0x2000: "AC-3",
    0x2001: "DTS",
    0x566F: "Ogg Vorbis",
    0x674F: "Ogg Vorbis",
    0x6750: "Ogg Vorbis",
    0x6751: "Ogg Vorbis",
    0x676F: "Ogg Vorbis",
    0x6770: "Ogg Vorbis",
    0x6771: "Ogg Vorbis",
    0x704F: "Opus",
    0xA106: "AAC",
    0xF1AC: "FLAC",
}


def judge_format(body: bytes) -> int:
    """Returns the bytes of a frame.

    :param body: the first 16 to 40 bytes of ``fmt ``; all 40 if the chunk has them
    :raises WavRefused: for the first fault in the order codec, channels, bits, sample rate, block align
    """
    tag: Optional[int]
    tag, channels, rate, _, block_align, bits = struct.unpack("<HHIIHH", body[:16])
    if tag == _EXTENSIBLE:
        if len(body) < LONGEST_FORMAT_BYTES:
            raise WavRefused("WAV_FORMAT_BROKEN")
        is_known = body[26:40] == _GUID_TAIL
        tag = int.from_bytes(body[24:26], "little") if is_known else None
    if tag is None or tag not in (_PCM, _FLOAT):
        codec = "unknown" if tag is None else _CODECS.get(tag, f"0x{tag:04X}")
        raise WavRefused("WAV_COMPRESSED", codec=codec)
    if channels not in (1, 2):
        raise WavRefused("WAV_CHANNELS_UNSUPPORTED", channels=channels)
    if tag == _FLOAT and bits != 32:
        raise WavRefused("WAV_FLOAT_UNSUPPORTED", bits=bits)
    if bits not in (8, 16, 24, 32):
        raise WavRefused("WAV_BITS_UNSUPPORTED", bits=bits)
    if not 1 <= rate <= _MAX_RATE_HZ:
        raise WavRefused("WAV_RATE_UNSUPPORTED", rate=rate)
    expected = int(channels * bits // 8)
    if block_align != expected:
        raise WavRefused("WAV_BLOCK_ALIGN_WRONG", got=block_align, expected=expected)
    return expected


def judge_data(frame_bytes: int, offset: int, size: int, riff_bytes: int, file_bytes: int) -> None:
    """Checks that the audio lies inside the file and has at least a frame.

    :param offset: of the first byte of audio
    :param size: of the ``data`` chunk, above 0
    :raises WavRefused: otherwise
    """
    if size > file_bytes - offset:
        if _is_placeholder(size) or _is_placeholder(riff_bytes):
            raise WavRefused("WAV_STREAMED")
        raise WavRefused("WAV_LENGTH_WRONG" if riff_bytes + 8 <= file_bytes else "WAV_CUT_SHORT")
    if size < frame_bytes:
        raise WavRefused("WAV_NO_DATA")


def _is_placeholder(size: int) -> bool:
    """True for the size that a program writes when it doesn't know the length yet."""
    if size == 0 or size >= 0x7FFF_0000:
        return True
    if size <= MAX_PACKAGE_BYTES:
        return False
    # Smaller ones are round: in decimals, or a header away from a power of two.
    return size % 1_000_000 == 0 or abs(size - 2 ** round(math.log2(size))) <= 4096
