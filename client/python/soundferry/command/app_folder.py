"""Where the command keeps its id and its tokens: in the folder of `soundferry send`, so that both are one app."""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path


def app_folder() -> Path:
    """``SOUNDFERRY_APP_DATA``, or ``soundferry/app`` in the user's data folder."""
    named = os.environ.get("SOUNDFERRY_APP_DATA", "").strip()
    return Path(named).absolute() if named else _user_data_folder() / "soundferry" / "app"


def read_app_id(folder: Path) -> str:
    """This installation's app id for pairing, created on first use."""
    file = folder / "app-id"
    try:
        kept = file.read_text("utf-8").strip()
    except FileNotFoundError:
        kept = ""
    if kept:
        return kept
    app_id = str(uuid.uuid4())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(f"{app_id}\n")
    return app_id


def _user_data_folder() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
