"""A clip's gain below 0 dB, whose scale only Live's display tells."""


def place_gain(sound, clip, known):
    """Sets the gain, and searches Live's value for it once for each gain."""
    wanted, value, unread = sound.planned["gain"]["db"], sound.planned["gain"]["value"], None
    if value is None and wanted not in known:
        try:
            low, high = 0.0, 0.4
            for _ in range(20):
                middle = clip.gain = (low + high) / 2
                low, high = (middle, high) if shown_gain(clip) < wanted else (low, middle)
                yield
            known[wanted] = high
        except Exception as error:
            unread = {"setting": "gain", "message": "its display can't be read (%s)" % error}
    sound.set(clip, "gain", known.get(wanted, max(0.0, (wanted + 16) / 40)) if value is None else value)
    sound.refused += [unread] if unread else []


def shown_gain(clip):
    """Reads the gain from Live's display in dB, which has a Unicode minus, and "-inf" for silence."""
    text = clip.gain_display_string.replace("\u2212", "-").replace(",", ".").split()[0].lower()
    return float("-inf") if "inf" in text or "\u221e" in text else float(text)
