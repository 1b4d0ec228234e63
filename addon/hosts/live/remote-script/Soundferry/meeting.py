"""The files from which the importer reads this script's port and secret."""
import json
import os
import sys
import time
from contextlib import suppress

from .version import PROTOCOL, VERSION

DATA_FOLDERS = {"darwin": "~/Library/Application Support", "win32": "~/AppData/Roaming"}


class Meeting(object):
    """Two files in each folder: one of this Live's own, and one of the Live that was started last."""

    def __init__(self, port, secret):
        about = {"service": "soundferry-control-surface", "version": VERSION, "protocol": PROTOCOL, "port": port}
        self._text = json.dumps(dict(about, secret=secret, process=os.getpid(), started=time.time()))
        names = ["live-control-surface%s.json" % each for each in ("", "-%d" % os.getpid())]
        self._paths = [os.path.join(folder, name) for folder in folders() for name in names]

    def write(self, replaces=False):
        """Writes the missing files, for their owner only. Returns a sentence on a folder that takes none."""
        trouble = ""
        for path in self._paths:
            folder, unfinished = os.path.dirname(path), "%s.%d" % (path, os.getpid())
            if not os.path.isdir(folder) or (os.path.exists(path) and not replaces):
                continue
            with suppress(OSError):
                os.remove(unfinished)
            try:
                handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "w") as file:
                    file.write(self._text)
                os.replace(unfinished, path)
            except OSError as error:
                trouble = "Soundferry can't write into %s: %s." % (folder, error.strerror)
        return trouble

    def remove(self):
        for path in self._paths:
            with suppress(OSError, ValueError):
                with open(path) as file:
                    is_ours = file.read() == self._text  # Another Live may have written its own.
                if is_ours:
                    os.remove(path)


def folders():
    """Returns the folders that `soundferry live install` recorded, or else the importer's default one."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "folders.json"), encoding="utf-8") as file:
            return json.load(file)["folders"]
    except (OSError, ValueError, KeyError):
        folder = os.path.join(DATA_FOLDERS.get(sys.platform, "~/.local/share"), "soundferry", "importer")
        return [os.path.expanduser(folder)]
