"""Length and sample rate of a WAV file, from its header."""

import struct


def read_wav(path):
    """Frames and sample rate. Raises OSError or ValueError for anything but a WAV."""
    with open(path, "rb") as file:
        riff = file.read(12)
        if len(riff) < 12 or riff[:4] != b"RIFF" or riff[8:] != b"WAVE":
            raise ValueError("no WAV")
        rate = block = None
        while True:
            head = file.read(8)
            if len(head) < 8:
                raise ValueError("no sound")
            name, size = head[:4], struct.unpack("<I", head[4:])[0]
            if name == b"fmt ":
                form = file.read(size + size % 2)
                rate, block = struct.unpack("<I", form[4:8])[0], struct.unpack("<H", form[12:14])[0]
            elif name == b"data":
                if not rate or not block or size < block:
                    raise ValueError("no sound")
                return size // block, rate
            else:
                file.seek(size + size % 2, 1)
