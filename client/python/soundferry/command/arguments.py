"""The arguments of the command."""

from __future__ import annotations

import argparse

from ..version import __version__

DEFAULT_RELAY = "http://127.0.0.1:4700"


def build_parser() -> argparse.ArgumentParser:
    """Builds the parser of ``python -m soundferry``."""
    parser = argparse.ArgumentParser(
        prog="python -m soundferry", description="Sends WAV files to Ableton Live through a relay."
    )
    parser.add_argument("--version", action="version", version=__version__)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    pair = actions.add_parser("pair", help="pair with a computer; needed once")
    pair.add_argument(
        "code",
        nargs="?",
        help='pairing code from the importer, such as "K7M Q2X"; without it, says where one is shown',
    )
    pair.add_argument("--app-name", default="Soundferry send", help="name to pair under")

    send = actions.add_parser("send", help="send WAV files as one package")
    send.add_argument("files", nargs="+", metavar="file.wav", help="1 to 32 WAV files")
    send.add_argument("--title", help="names the scene")
    send.add_argument("--bpm", type=float, help="tempo of the loops")
    send.add_argument("--kind", choices=("loop", "oneshot"), help="what the files are")
    send.add_argument("--role", help="what the loops are, such as drums")
    send.add_argument("--app-name", help="name behind each track")
    send.add_argument("--key", help="send again with the same key to resume the same package")
    send.add_argument("--no-follow", action="store_true", help="exit once the package waits")

    status = actions.add_parser("status", help="what became of a package")
    status.add_argument("package_id")
    status.add_argument("--follow", action="store_true", help="wait until it is imported")

    packages = actions.add_parser("list", help="the packages that this app has sent")
    packages.add_argument("--status", default="", help="only these, such as waiting,imported")

    withdraw = actions.add_parser("withdraw", help="withdraw a package before its import")
    withdraw.add_argument("package_id")

    me = actions.add_parser("me", help="which computer this app is paired with")
    unpair = actions.add_parser("unpair", help="end the pairing")

    for each in (pair, send, status, packages, withdraw, me, unpair):
        each.add_argument("--relay", default=DEFAULT_RELAY, help="address of the relay")
        each.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser
