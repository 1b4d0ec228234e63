"""Stops work that runs in other threads."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import Iterator, Optional


class Cancelled(Exception):
    """The work was cancelled with ``Cancellation.cancel``."""


class Cancellation:
    """Stops a ``send`` or ``follow`` from another thread: at once, also while it waits for the relay.

    A child is cancelled with its parent, but not the other way round.
    """

    def __init__(self, parent: Optional[Cancellation] = None) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._children: set[Cancellation] = set()
        self._parent = parent
        if parent is not None:
            parent._adopt(self)

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called here or on a parent."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ends the work: closes its connections and wakes what sleeps. It may be called again."""
        with self._lock:
            self._event.set()
            sockets, children = list(self._sockets), list(self._children)
        for each in sockets:
            _shut_down(each)
        for child in children:
            child.cancel()

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` after ``cancel``."""
        if self.cancelled:
            raise Cancelled("Cancelled.")

    def sleep(self, seconds: float) -> None:
        """Waits; raises ``Cancelled`` as soon as it is cancelled."""
        self._event.wait(seconds)
        self.raise_if_cancelled()

    def close(self) -> None:
        """Separates a child from its parent when its work is over."""
        if self._parent is not None:
            with self._parent._lock:
                self._parent._children.discard(self)

    @contextmanager
    def closing(self, connected: socket.socket) -> Iterator[None]:
        """While the block runs, ``cancel`` shuts this socket down."""
        with self._lock:
            self._sockets.add(connected)
        try:
            self.raise_if_cancelled()
            yield
        finally:
            with self._lock:
                self._sockets.discard(connected)

    def _adopt(self, child: Cancellation) -> None:
        with self._lock:
            self._children.add(child)
        if self.cancelled:
            child.cancel()


def _shut_down(connected: socket.socket) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It is closed already.
