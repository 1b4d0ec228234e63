"""The running Live: its Set, its habits, and a record of everything the script does."""

import os
import threading
import time
import traceback

from .habits import Habits
from .state import SetState
from .undo import UndoHistory
from .warp import Refusal

_perf_counter = time.perf_counter


class Callback:
    """One call by Live into the script. Times in milliseconds; own is the fake's part, wall everything."""

    def __init__(self, number, kind, tick):
        self.number, self.kind, self.tick = number, kind, tick
        self.wall_ms = self.own_ms = 0.0
        # The script's part on the processor: what other programs do doesn't count.
        self.script_cpu_ms = 0.0
        self.calls = 0
        # What the script did to each clip in this callback.
        self.deeds = {}


class World:
    """One Live. There is one in a process."""

    def __init__(self):
        self.habits = Habits()
        self.main_thread = threading.get_ident()
        self.set, self.undo = SetState(True), UndoHistory()
        self.generation = 0
        self.calls, self.callbacks, self.faults, self.messages = [], [], [], []
        self.changes = self.pointer_reads = 0
        self.callback = Callback(0, "none", 0)
        self.tick = 0
        self.timers = []
        self.deferred = []
        self.kill_at = None
        self.before_exit = lambda event: None
        self._failed = {}
        self._ahead_s = 0.0
        # The script's clock shows what calls cost, whether that was slept or not.
        time.perf_counter = lambda: _perf_counter() + self._ahead_s

    def open_set(self, state):
        """Put a Set in place of the one that is open. Its objects belong to a new generation."""
        self.set, self.undo = state, UndoHistory()
        self.generation += 1
        self.deferred = []

    def fault(self, name, kind, detail):
        """Record what went wrong. kind: violation (a right script never does it) or refusal."""
        self.faults.append(
            {
                "name": name,
                "kind": kind,
                "detail": str(detail),
                "call": len(self.calls) + 1,
                "callback": self.callback.number,
            }
        )

    def call(self, label, act, changes=False):
        """Run one call of the script into Live, with its record, its cost and its end."""
        began, cpu_began = time.perf_counter(), time.thread_time()
        if threading.get_ident() != self.main_thread:
            self.fault("OFF_THE_MAIN_THREAD", "violation", label)
        self.changes += changes
        self._kill("before", changes)
        entry, error = None, None
        try:
            self._spend(label)
            self._fail(label)
            if changes:
                alone = label in self.habits.own_undo_entries
                entry = self.undo.before_change(self.set, label, "script", alone)
            return act()
        except Exception as raised:
            error = "%s: %s" % (type(raised).__name__, raised)
            self.undo.drop(entry)
            if isinstance(raised, Refusal):
                self.fault(raised.name, "refusal", "%s: %s" % (label, raised))
            raise
        finally:
            spent = (time.perf_counter() - began) * 1000
            self._log(label, changes, spent, error)
            self.callback.own_ms += spent
            self.callback.script_cpu_ms -= (time.thread_time() - cpu_began) * 1000
            self._kill("after", changes)

    def run_callback(self, kind, function):
        """Call the script. Returns whether it returned; an error that escapes is a violation."""
        self.callback = Callback(len(self.callbacks) + 1, kind, self.tick)
        self.callbacks.append(self.callback)
        began, cpu_began = time.perf_counter(), time.thread_time()
        try:
            function()
            return True
        except Exception:
            self.fault("ERROR_ESCAPES", "violation", "%s: %s" % (kind, traceback.format_exc()))
            return False
        finally:
            self.callback.wall_ms += (time.perf_counter() - began) * 1000
            self.callback.script_cpu_ms += (time.thread_time() - cpu_began) * 1000
            if self.habits.steps_end_with_callback:
                self.undo.end()
            self._settle(False)

    def defer(self, ticks, clip_id, act):
        """Do something to a clip after this callback, or some ticks later."""
        self.deferred.append([ticks, clip_id, act])

    def end_tick(self):
        """A tick is over: what waits for one comes nearer."""
        self.tick += 1
        self._settle(True)

    def deed(self, clip_id, deed):
        """Note what happens to a clip in this callback; returns what happened to it before."""
        deeds = self.callback.deeds.setdefault(clip_id, set())
        before = set(deeds)
        deeds.add(deed)
        return before

    def forget_failures(self):
        """Count the refused calls from the start."""
        self._failed = {}

    def crash(self, why):
        """Live is gone at once."""
        self.fault(why, "violation", "Live crashed")
        self._exit("crashed")

    def _settle(self, is_tick):
        due = []
        for item in self.deferred:
            if is_tick and item[0] > 0:
                item[0] -= 1
            if item[0] <= 0:
                due.append(item)
        self.deferred = [item for item in self.deferred if item[0] > 0]
        for _, clip_id, act in due:
            clip = self.set.by_id.get(clip_id)
            if clip is not None:
                act(clip)

    def _spend(self, label):
        costs = self.habits.call_ms
        cost_s = costs.get(label, costs.get("*", 0)) / 1000
        if not self.habits.sleeps:
            self._ahead_s += cost_s
        elif cost_s:
            time.sleep(cost_s)

    def _fail(self, label):
        for place, failing in enumerate(self.habits.failing):
            if failing["call"] != label:
                continue
            key = (place, label)
            self._failed[key] = self._failed.get(key, 0) + 1
            if failing.get("nth") in (None, self._failed[key]):
                self.fault("TOLD_TO_FAIL", "refusal", label)
                raise RuntimeError(failing.get("message", "Live says no"))

    def _log(self, label, changes, spent_ms, error):
        self.callback.calls += 1
        self.calls.append(
            {
                "number": len(self.calls) + 1,
                "call": label,
                "changes": bool(changes),
                "callback": self.callback.number,
                "ms": spent_ms,
                "error": error,
            }
        )

    def _kill(self, when, changes):
        if self.kill_at is None or when != self.kill_at["when"]:
            return
        if self.kill_at["of"] == "changes":
            if not changes:
                return
            reached = self.changes
        else:
            reached = len(self.calls) + (when == "before")
        if reached >= self.kill_at["at"]:
            self._exit("killed")

    def _exit(self, event):
        self.before_exit(event)
        os._exit(9)


world = World()
