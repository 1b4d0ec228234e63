"""Runs work in several threads, and stops it."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import Callable, Iterator, List, Optional, Sequence, TypeVar

Item = TypeVar("Item")

# Joining with a timeout lets Ctrl-C through on every system.
_JOIN_SECONDS = 0.2
_LAST_JOIN_SECONDS = 2.0


class Cancelled(Exception):
    """The work was canceled with ``Cancellation.cancel``."""


class Cancellation:
    """Stops a ``send`` or ``follow`` from another thread: at once, also while it waits for the relay.

    A child is canceled with its parent, but not the other way round.
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
        """True once ``cancel`` was called here or on a parent."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ends the work: closes its connections and wakes its threads. It may be called again."""
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
        """Waits; raises ``Cancelled`` as soon as it is canceled."""
        self._event.wait(seconds)
        self.raise_if_cancelled()

    def close(self) -> None:
        """Separates a child from its parent when its work is over."""
        if self._parent is not None:
            with self._parent._lock:
                self._parent._children.discard(self)

    @contextmanager
    def closing(self, connected: socket.socket) -> Iterator[None]:
        """Lets ``cancel`` shut this socket down while the block runs."""
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


def in_parallel(
    items: Sequence[Item],
    limit: int,
    act: Callable[[Item, Cancellation], None],
    cancellation: Cancellation,
) -> None:
    """Runs ``act`` for every item with a concurrency limit.

    A failure cancels the other acts, and the first failure is raised. Ctrl-C cancels them, too, and doesn't wait for a
    thread that can't be ended.
    """
    together = Cancellation(cancellation)
    queue = list(items)
    failures: List[BaseException] = []
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if failures or not queue:
                    return
                item = queue.pop(0)
            try:
                act(item, together)
            except BaseException as failure:
                with lock:
                    failures.append(failure)
                together.cancel()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(limit, len(items)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_JOIN_SECONDS)
    except BaseException:
        together.cancel()
        for thread in threads:
            if thread.ident is not None:
                thread.join(_LAST_JOIN_SECONDS)
        raise
    finally:
        together.close()
    if failures:
        raise failures[0]
