"""The files from which the importer reads this script's port and secret."""
import json
import os
import sys
import time

from .version import PROTOCOL, VERSION

DATA_FOLDERS = {"darwin": "~/Library/Application Support", "win32": "~/AppData/Roaming"}


class Meeting(object):
    """Two files in each folder: one of this Live's own, and one of the Live that was started last."""

    def __init__(self, port, secret):
        about = {"service": "soundferry-control-surface", "version": VERSION, "protocol": PROTOCOL}
        about.update(port=port, secret=secret, process=os.getpid(), started=time.time())
        self._text = json.dumps(about)
        names = ["live-control-surface%s.json" % each for each in ("", "-%d" % os.getpid())]
        self._paths = [os.path.join(folder, name) for folder in folders() for name in names]

    def write(self, replaces=False):
        """Writes the missing files, for their owner only. Raises an OSError of a folder that takes none."""
        failed = None
        for path in self._paths:
            if os.path.isdir(os.path.dirname(path)) and (replaces or not os.path.exists(path)):
                try:
                    self._write(path)
                except OSError as error:
                    failed = error
        if failed:
            raise failed

    def _write(self, path):
        unfinished = "%s.%d" % (path, os.getpid())
        remove(unfinished)
        try:
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(self._text)
            os.replace(unfinished, path)
        except OSError:
            remove(unfinished)
            raise

    def remove(self):
        for path in self._paths:
            try:
                with open(path) as file:
                    is_ours = file.read() == self._text  # Another Live may have written its own.
            except (OSError, ValueError):
                continue
            if is_ours:
                remove(path)


def remove(path):
    try:
        os.remove(path)
    except OSError:
        pass  # It isn't there, or another program holds it open.


def folders():
    """Returns the folders that `soundferry live install` recorded, or else the importer's default one."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "folders.json"), encoding="utf-8") as file:
            return json.load(file)["folders"]
    except (OSError, ValueError, KeyError):
        folder = os.path.join(DATA_FOLDERS.get(sys.platform, "~/.local/share"), "soundferry", "importer")
        return [os.path.expanduser(folder)]
