"""The output of the command."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any, Mapping

from ..answers import Announced, Status
from ..errors import SoundferryError
from ..progress import Progress

_ENDINGS = {
    "uploading": "is still being sent",
    "waiting": "is waiting for Import",
    "imported": "was imported",
    "partial": "was imported in part",
    "failed": "could not be imported",
    "expired": "expired before import; send it again",
}

_STOPS = {
    "nothing": "Stopped; nothing was sent.",
    "withdrawn": "Stopped; nothing was sent.",
    "kept": "Stopped. Send it again with the same key to resume.",
    "taken": "Too late to stop: this package is already being imported.",
    "left": "Stopped. What was sent so far is deleted when its upload time ends.",
}


class Output:
    """Prints results to stdout and everything else to stderr."""

    def __init__(self, is_json: bool) -> None:
        self._is_json = is_json
        self._shown_percent = -1
        self._is_stopped = False
        self._lock = threading.Lock()

    def say(self, line: str) -> None:
        """Prints a line for people."""
        with self._lock:
            print(line, file=sys.stderr, flush=True)

    def give(self, value: Mapping[str, Any], text: str) -> None:
        """Prints the result as JSON if requested, otherwise as text."""
        print(json.dumps(value) if self._is_json else text, flush=True)

    def announced(self, announced: Announced) -> None:
        """Prints the id of the announced package, and the relay's repairs."""
        self.say(f"Package {announced.package_id}: {_count(len(announced.upload), 'file')}.")
        for warning in announced.warnings:
            about = "" if warning.sound is None else f"{warning.sound}: "
            self.say(f"Warning: {about}{warning.message}")

    def progress(self, progress: Progress) -> None:
        """Prints every tenth of the upload."""
        if progress.phase != "uploading" or progress.total_bytes == 0:
            return
        percent = progress.done_bytes * 10 // progress.total_bytes * 10
        if percent > self._shown_percent:
            self._shown_percent = percent
            self.say(f"Sent {percent} %")

    def retrying(self, error: SoundferryError, seconds: float) -> None:
        """Prints the reason and the time of the next attempt."""
        self.say(f"{error} Retrying in {max(1, round(seconds))} s.")

    def stopped(self, outcome: str = "") -> None:
        """Prints once what became of the package after the command was stopped."""
        if not self._is_stopped:
            self.say(_STOPS.get(outcome, "Stopped."))
        self._is_stopped = True

    def status(self, status: Status) -> None:
        """Prints a package's status and the result of each sound."""
        ending = "is being imported" if status.taken else _ENDINGS.get(status.status, status.status)
        lines = [f"{status.title} {ending}."]
        for sound, result in status.results.items():
            details = [result.track, result.file, result.error, *result.notes]
            details += [
                f"{each.setting}: {each.got} instead of {each.asked}" for each in result.differences
            ]
            shown = ", ".join(each for each in details if each is not None)
            lines.append(f"  {sound}: {result.status}{' (' + shown + ')' if shown else ''}")
        self.give(status.json, "\n".join(lines))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
