"""Work in a few threads at once."""

from __future__ import annotations

import threading
from typing import Callable, List, Sequence, TypeVar

from .cancellation import Cancellation

Item = TypeVar("Item")

# Joining with a timeout lets Ctrl-C through on every system.
_JOIN_SECONDS = 0.2
_LAST_JOIN_SECONDS = 2.0


def in_parallel(
    items: Sequence[Item],
    limit: int,
    act: Callable[[Item, Cancellation], None],
    cancellation: Cancellation,
) -> None:
    """Runs ``act`` for every item, at most ``limit`` at a time.

    A failure cancels the others, and the first one is raised. So does Ctrl-C: it doesn't wait for what can't be ended.
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
