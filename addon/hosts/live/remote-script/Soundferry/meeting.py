"""The file from which the importer reads this script's port and secret."""
import json
import os
import secrets
import sys
from pathlib import Path

from .version import PROTOCOL, VERSION

DATA_FOLDERS = {"darwin": "~/Library/Application Support", "win32": "~/AppData/Roaming"}


def write_meeting_files(port, secret):
    """Writes the file, for its owner only, into each folder that exists; returns a function that removes it."""
    about = {"service": "soundferry-control-surface", "version": VERSION, "protocol": PROTOCOL}
    text, paths = json.dumps(dict(about, port=port, secret=secret, process=os.getpid())), []
    for folder in folders():
        path = os.path.join(folder, "live-control-surface.json")
        unfinished = "%s.%s" % (path, secrets.token_hex(4))
        try:
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(text)
            os.replace(unfinished, path)
            paths.append(path)
        except OSError:
            pass  # The folder doesn't exist, or isn't ours: the importer looks in the others.

    def remove():
        for path in paths:
            # Another Live may have written its own file there.
            if Path(path).read_text() == text:
                os.remove(path)

    return remove


def folders():
    """Returns the folders that `soundferry live install` recorded, or else the importer's default one."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "folders.json"), encoding="utf-8") as file:
            return json.load(file)["folders"]
    except (OSError, ValueError, KeyError):
        folder = os.path.join(DATA_FOLDERS.get(sys.platform, "~/.local/share"), "soundferry", "importer")
        return [os.path.expanduser(folder)]
