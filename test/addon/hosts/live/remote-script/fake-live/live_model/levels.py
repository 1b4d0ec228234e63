"""Gain of a clip and volume of a fader: value, decibels and display."""

import math
import struct

# Measured points below 0 dB.
_LOW = [(0.1, -30.7), (0.2, -16.5), (0.25, -10.8), (0.3, -6.13), (0.35, -2.62), (0.4, 0.0)]
_QUIETEST_DB = -70.0


def float32(number):
    """The number as a 32-bit float holds it."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def gain_db(value):
    """Decibels of a clip's gain, -inf for silence."""
    if value >= 0.4:
        return 40 * value - 16
    if value <= 0:
        return -math.inf
    if value < 0.1:
        quiet = -30.7 + 23.1 * math.log10(value / 0.1)
        return quiet if quiet >= _QUIETEST_DB else -math.inf
    for (low, low_db), (high, high_db) in zip(_LOW, _LOW[1:]):
        if value <= high:
            return low_db + (high_db - low_db) * (value - low) / (high - low)
    return 0.0


def volume_db(value):
    """Decibels of a fader: 0.85 is 0 dB."""
    if value <= 0:
        return -math.inf
    if value >= 0.4:
        return 40 * (value - 0.85)
    return -18.0 + 60 * math.log10(value / 0.4)


def display(decibels, habits):
    """Live's text, such as −3.0 dB."""
    if decibels == -math.inf:
        return habits.infinity
    text = "%.*f" % (habits.gain_digits, abs(decibels))
    is_negative = decibels < 0 and float(text) != 0
    return "%s%s dB" % (habits.minus if is_negative else "", text)
