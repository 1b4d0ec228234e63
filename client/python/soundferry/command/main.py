"""The actions of the command."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import Callable, Dict, NoReturn, Optional, Sequence

from .. import WHERE_TO_IMPORT
from ..client import Client
from ..draft import App, Package, Sound
from ..errors import SoundferryError
from ..receive_page import receive_page_of
from ..tokens import TokenFile
from ..version import __version__
from .arguments import build_parser
from .output import Output

_WRONG_USE = 2
_STOPPED = 130


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command and returns its exit status: 0, 1 for a failure, 2 for wrong use, 130 when stopped."""
    given = build_parser().parse_args(arguments)
    output = Output(given.json)
    # A service manager's stop withdraws the package, as Ctrl-C does.
    signal.signal(signal.SIGTERM, _stop)
    try:
        return _ACTIONS[given.action](_client(given), given, output)
    except SoundferryError as error:
        if given.json:
            print(json.dumps({"error": str(error), "code": error.code}), flush=True)
        output.say(str(error))
        for problem in error.problems:
            # The client's own sentence has those of all sounds.
            if problem.message not in str(error):
                output.say(problem.message)
        return 1
    except KeyboardInterrupt:
        output.stopped()
        return _STOPPED


def _stop(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _client(given: argparse.Namespace) -> Client:
    folder = _app_folder()
    name = getattr(given, "app_name", None) or "Soundferry send"
    return Client(
        given.relay,
        tokens=TokenFile(folder / "tokens.json", given.relay),
        app=App(name, _read_app_id(folder)),
        client_name=f"soundferry-python/{__version__} ({name})",
    )


def _pair(client: Client, given: argparse.Namespace, output: Output) -> int:
    if given.code is None:
        return _say_where_codes_are(given.relay, output)
    device = client.pair(given.code)
    output.give({"device_name": device}, f"Paired with {device}.")
    return 0


def _say_where_codes_are(relay: str, output: Output) -> int:
    output.say("Soundferry shows the code on the computer you want to send to.")
    page = receive_page_of(relay)
    if page is not None:
        output.say(f"Nothing installed? Open {page} in any browser.")
    return _WRONG_USE


def _me(client: Client, _given: argparse.Namespace, output: Output) -> int:
    me = client.me()
    output.give({"device_name": me.device_name, "app_name": me.app_name}, me.device_name)
    return 0


def _send(client: Client, given: argparse.Namespace, output: Output) -> int:
    sounds = [Sound(file, kind=given.kind, role=given.role) for file in given.files]
    sent = client.send(
        Package(sounds, title=given.title, bpm=given.bpm),
        idempotency_key=given.key,
        on_progress=output.progress,
        on_announced=output.announced,
        on_retry=output.retrying,
        on_stopped=output.stopped,
    )
    if given.no_follow:
        output.status(next(client.follow(sent.package_id, on_retry=output.retrying)))
        return 0
    output.say(f"Waiting for Import:\n  {WHERE_TO_IMPORT}")
    return _follow(client, sent.package_id, output)


def _status(client: Client, given: argparse.Namespace, output: Output) -> int:
    if given.follow:
        return _follow(client, given.package_id, output)
    output.status(client.status(given.package_id))
    return 0


def _follow(client: Client, package_id: str, output: Output) -> int:
    for status in client.follow(package_id, on_retry=output.retrying):
        if status.is_over:
            output.status(status)
            return 0 if status.status == "imported" else 1
    return 1


def _list(client: Client, given: argparse.Namespace, output: Output) -> int:
    statuses = [each for each in given.status.split(",") if each]
    listed = list(client.list_all(status=statuses))
    lines = [f"{each.package_id}  {each.status:9}  {each.title}" for each in listed]
    output.give({"packages": [asdict(each) for each in listed]}, "\n".join(lines))
    return 0


def _withdraw(client: Client, given: argparse.Namespace, output: Output) -> int:
    client.withdraw(given.package_id)
    output.give({}, "Withdrawn.")
    return 0


def _unpair(client: Client, _given: argparse.Namespace, output: Output) -> int:
    client.unpair()
    output.give({}, "Unpaired.")
    return 0


def _app_folder() -> Path:
    """Returns the folder of the id and the tokens, which `soundferry send` uses, too, so that both are one app.

    It is ``SOUNDFERRY_APP_DATA``, or ``soundferry/app`` in the user's data folder.
    """
    named = os.environ.get("SOUNDFERRY_APP_DATA", "").strip()
    return Path(named).absolute() if named else _user_data_folder() / "soundferry" / "app"


def _read_app_id(folder: Path) -> str:
    """Reads this installation's app id for pairing; creates it on first use."""
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


_ACTIONS: Dict[str, Callable[[Client, argparse.Namespace, Output], int]] = {
    "pair": _pair,
    "send": _send,
    "status": _status,
    "list": _list,
    "withdraw": _withdraw,
    "me": _me,
    "unpair": _unpair,
}
