"""Runs a test's lines of Python, one text in each tick; what they say comes back as JSON."""

import json
import os

import Live


class Probe:
    """The texts see song(), Live, say, attempt, c_instance and the path of the sound."""

    def __init__(self, c_instance):
        self._ticks = json.loads(os.environ["TICKS"])
        self._log = c_instance.log_message
        self._names = {
            "Live": Live,
            "song": c_instance.song,
            "c_instance": c_instance,
            "say": self._say,
            "attempt": self._attempt,
            "sound": os.environ["SOUND"],
        }

    def update_display(self):
        """The next text."""
        if self._ticks:
            exec(self._ticks.pop(0), self._names)

    def disconnect(self):
        """Nothing to leave."""

    def _say(self, *values):
        for value in values:
            self._log(json.dumps(value))

    def _attempt(self, text):
        try:
            exec(text, self._names)
            self._say("done")
        except Exception as error:
            self._say("%s: %s" % (type(error).__name__, error))


def create_instance(c_instance):
    """The function that Live calls."""
    return Probe(c_instance)
