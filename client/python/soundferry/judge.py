"""Judges who gave an answer: the relay, or something in its place, such as a Wi-Fi's sign-in page (rule W41)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Union

MARK = "soundferry-relay"
"""The header of the relay's own answers. A relay that knows only the public specification has none."""

IsOwn = Callable[[Mapping[str, Any]], bool]
"""Checks the members of a success, by which an answer without the mark is judged."""

UNFIXED = "unfixed"
"""Expects a success whose members the specification doesn't fix: it is confirmed by a read."""
STORED = "stored"
"""Expects the answer to an upload, any JSON object: the commit finds what is missing."""
OFFSET = "offset"
"""Expects the answer to ``HEAD``, which only relays with the mark give."""
Expected = Union[IsOwn, str]

OWN = "own"
FOREIGN = "foreign"
UNPROVEN = "unproven"
"""Verdict on a success that another call has to confirm."""
UNSETTLED = "unsettled"
"""Verdict on an answer that the answers to ``QUESTIONS`` settle."""


@dataclass(frozen=True)
class Answer:
    """An answer by HTTP."""

    status: int
    headers: Mapping[str, str]
    """Headers by lowercase name."""
    json: Optional[Dict[str, Any]]
    """None if the body is not a JSON object."""
    is_empty: bool = False
    is_proven: bool = True
    """False for a success that another call has to confirm."""

    @property
    def body(self) -> Dict[str, Any]:
        """The JSON object; empty if there is none."""
        return self.json or {}

    @property
    def is_refusal(self) -> bool:
        """True for a refusal as the specification has it: JSON with a sentence."""
        return self.status >= 400 and isinstance(self.body.get("error"), str)


@dataclass
class History:
    """Facts about a relay that hold for a client's life."""

    is_known: bool = False
    """True once it has answered well."""
    is_marked: bool = False
    """True once an answer had the mark; from then on, each of its answers has."""
    part_bytes: float = math.inf
    """Largest part of a file that everything on the way lets pass."""

    def learn(self, answer: Answer, is_own: bool) -> None:
        """Learns from an answer."""
        self.is_marked = self.is_marked or MARK in answer.headers
        self.is_known = self.is_known or self.is_marked or is_own


def judge(answer: Answer, expected: Expected, history: History) -> str:
    """Returns the verdict on an answer."""
    is_marked = MARK in answer.headers
    if history.is_marked and not is_marked:
        return FOREIGN
    if expected == OFFSET and not is_marked:
        return UNPROVEN
    of_a_relay = OWN if history.is_known or is_marked else UNSETTLED
    if answer.status >= 400:
        return of_a_relay if answer.is_refusal or is_marked else FOREIGN
    if answer.status >= 300:
        return FOREIGN
    if callable(expected):
        return OWN if answer.json is not None and expected(answer.json) else FOREIGN
    if is_marked:
        return OWN
    if expected == STORED:
        return FOREIGN if answer.json is None else of_a_relay
    return UNPROVEN if answer.is_empty or answer.json is not None else FOREIGN


_NOTHING: Mapping[str, Any] = {}
QUESTIONS = (
    ("GET", "/app/me", None, (401,)),
    ("POST", "/pair/claim", _NOTHING, tuple(each for each in range(400, 500) if each != 401)),
)
"""Calls without a token, each with the statuses of a relay's refusal.

The specification fixes both, and nothing that always answers the same gives both.
"""


def has(**members: type) -> IsOwn:
    """Returns a check that an object has these members with these types."""
    return lambda body: all(isinstance(body.get(name), kind) for name, kind in members.items())


STATUSES = ("uploading", "waiting", "imported", "partial", "failed", "expired")
IS_CLAIMED = has(app_token=str, device_name=str)
IS_ME = has(device_name=str, app_name=str)
IS_ANNOUNCED = has(package_id=str, upload=dict, warnings=list)
IS_PAGE = has(packages=list)


def is_status(body: Mapping[str, Any]) -> bool:
    """Checks that an object is a package's status."""
    return body.get("status") in STATUSES
