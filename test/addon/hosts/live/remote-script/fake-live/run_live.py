"""Runs the fake Live with a script, driven by JSON lines on standard input and output."""

import importlib
import json
import os
import queue
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import Live
from Live.Song import song
from live_model.clock import clock, real_now
from live_model.dump import dump_set, load_set
from live_model.edits import edit
from live_model.world import world


NOTHING = type(None)
# Live converts what a script returns: only None or a whole number can be a bool.
CALLBACKS = (
    ("can_lock_to_devices", (), (NOTHING, int)),
    ("supports_pad_translation", (), (NOTHING, int)),
    ("is_extension", (), (NOTHING, int)),
    ("suggest_input_port", (), str),
    ("suggest_output_port", (), str),
    ("suggest_map_mode", (1, 2), (NOTHING, int)),
    ("connect_script_instances", ((),), NOTHING),
    ("build_midi_map", (1,), NOTHING),
    ("refresh_state", (), NOTHING),
    ("port_settings_changed", (), NOTHING),
    ("receive_midi", ((144, 60, 100),), NOTHING),
    ("handle_sysex", ((240, 247),), NOTHING),
    ("lock_to_device", (None,), NOTHING),
    ("unlock_from_device", (None,), NOTHING),
    ("toggle_lock", (), NOTHING),
    ("set_appointed_device", (None,), NOTHING),
    ("restore_bank", (0,), NOTHING),
)


class CInstance:
    """The object that Live passes to create_instance."""

    def song(self):
        """The Set that is open."""
        return song()

    def log_message(self, *words):
        """Write to Live's log."""
        world.messages.append({"kind": "log", "text": " ".join(map(str, words))})

    def show_message(self, text):
        """Show a line at the bottom of the window."""
        world.messages.append({"kind": "show", "text": str(text)})

    def handle(self):
        """The number of the instance."""
        return 1

    def instance_identifier(self):
        """The number of the instance."""
        return 1

    def request_rebuild_midi_map(self):
        """Nothing to map."""

    def send_midi(self, message):
        """Ignores a message: nobody listens."""


class FakeLive:
    """Answers the driver's calls, and runs Live's loop between them."""

    def __init__(self, output):
        self.output = output
        self.state = "stopped"
        self.module = None

    def open(self, folder, package="Soundferry", habits=None, set=None):
        """Open a Set and load the script whose package lies in the folder."""
        world.habits.change(habits or {})
        world.open_set(load_set(set or {}, world.habits))
        world.before_exit = self._tell_end
        sys.path.insert(0, folder)
        world.run_callback("import", lambda: self._import(package))
        self._create()

    def tick(self, count=1):
        """Run some ticks, one after the other."""
        for _ in range(count):
            clock.step()

    def run(self):
        """Run freely."""
        if self.state == "paused":
            clock.burst()
        self.state = "running"

    def stop(self):
        """Run only by tick."""
        self.state = "stopped"

    def pause(self):
        """A menu is open: no ticks until run."""
        self.state = "paused"

    def dump(self):
        """The Set."""
        return dump_set(world.set, world.habits)

    def log(self):
        """All that was recorded."""
        return {
            "calls": world.calls,
            "callbacks": [_describe(callback) for callback in world.callbacks],
            "faults": world.faults,
            "messages": world.messages,
            "undo": [
                {"author": entry.author, "labels": entry.labels} for entry in world.undo.entries
            ],
            "tick": world.tick,
            "pointerReads": world.pointer_reads,
        }

    def reload(self, set=None):
        """Save the Set and open it again, or open another one."""
        self._disconnect()
        given = self.dump() if set is None else set
        world.open_set(load_set(given, world.habits))
        self._create()

    def edit(self, **given):
        """The person does something."""
        edit(given)

    def change(self, habits):
        """Behave differently from now on."""
        world.habits.change(habits)
        world.forget_failures()

    def killAt(self, at, of="all", when="before"):
        """Die at a call, counted from the next one."""
        counted = world.changes if of == "changes" else len(world.calls)
        world.kill_at = {"at": counted + at, "of": of, "when": when}

    def close(self):
        """Quit Live as a person does."""
        self._disconnect()
        self.state = "closed"
        return self.log()

    def _import(self, package):
        self.module = importlib.import_module(package)

    def _create(self):
        clock.is_dropped = False

        def create():
            clock.script = self.module.create_instance(CInstance())

        if self.module is None or not world.run_callback("create_instance", create):
            return
        for name, given, kinds in CALLBACKS:
            if hasattr(clock.script, name):
                world.run_callback(name, lambda: self._call_back(name, given, kinds))

    def _call_back(self, name, given, kinds):
        returned = getattr(clock.script, name)(*given)
        if not isinstance(returned, kinds):
            world.fault("WRONG_RETURN", "violation", "%s: %r" % (name, returned))

    def _disconnect(self):
        if clock.script is not None:
            world.run_callback("disconnect", clock.script.disconnect)
            clock.script = None
        if world.timers:
            world.fault("TIMER_OUTLIVES_THE_SCRIPT", "violation", len(world.timers))
            world.timers[:] = []

    def _tell_end(self, event):
        self.send({"event": event, "set": self.dump(), "log": self.log()})

    def send(self, answer):
        """One line to the driver."""
        self.output.write(json.dumps(answer) + "\n")
        self.output.flush()

    def answer(self, line):
        """Do what the driver asks."""
        call = json.loads(line)
        try:
            done = getattr(self, call["call"])(**call.get("with", {}))
            self.send({"id": call["id"], "ok": done})
        except Exception as error:
            self.send({"id": call["id"], "error": "%s: %s" % (type(error).__name__, error)})


def _describe(callback):
    return {
        "number": callback.number,
        "kind": callback.kind,
        "tick": callback.tick,
        "calls": callback.calls,
        "wallMs": callback.wall_ms,
        "ownMs": callback.own_ms,
        "scriptCpuMs": callback.script_cpu_ms,
    }


def _read(lines):
    for line in sys.stdin:
        lines.put(line)
    lines.put(None)


def main():
    """Runs until standard input ends or close is called."""
    live = FakeLive(sys.stdout)
    # What the script prints must not get between the lines.
    sys.stdout = sys.stderr
    lines = queue.Queue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    before, was_running = real_now(), False
    while live.state != "closed":
        wait = clock.seconds_to_next() if live.state == "running" else None
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            line = ""
        if line is None:
            break
        if line:
            live.answer(line)
        now = real_now()
        if live.state == "running":
            clock.run_next(now - before if was_running else 0.0)
        before, was_running = now, live.state == "running"
    sys.stderr.flush()
    os._exit(0)


main()
