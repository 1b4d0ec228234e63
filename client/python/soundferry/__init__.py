"""Sends sounds from an app to a Soundferry relay, and reports the result of each sound in Ableton Live.

>>> from soundferry import App, Client, Package, Sound, TokenFile
>>> relay = "http://127.0.0.1:4700"
>>> client = Client(relay, tokens=TokenFile("tokens.json", relay), app=App("Looper", "looper-in-the-studio"))
"""

from .answers import (
    Announced,
    Difference,
    Listed,
    Me,
    PackagePage,
    Repair,
    Room,
    SentPackage,
    SoundResult,
    Status,
    Uploaded,
)
from .cancellation import Cancellation, Cancelled
from .client import Client
from .draft import App, Package, Sound
from .errors import Problem, SoundferryError
from .progress import Progress
from .receive_page import receive_page_of
from .retry import Pace
from .tokens import MemoryTokens, TokenFile, TokenStore
from .version import __version__

WHERE_TO_IMPORT = (
    "Click Import in Soundferry, or in Live: "
    "right-click a scene → Extensions → Soundferry: Import…"
)
"""Where the user clicks; show it while a package waits."""

__all__ = [
    "Announced",
    "App",
    "Cancellation",
    "Cancelled",
    "Client",
    "Difference",
    "Listed",
    "Me",
    "MemoryTokens",
    "Pace",
    "Package",
    "PackagePage",
    "Problem",
    "Progress",
    "Repair",
    "Room",
    "SentPackage",
    "Sound",
    "SoundResult",
    "SoundferryError",
    "Status",
    "TokenFile",
    "TokenStore",
    "Uploaded",
    "WHERE_TO_IMPORT",
    "__version__",
    "receive_page_of",
]
