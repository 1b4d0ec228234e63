"""Live's undo history: what one Undo takes back."""

import pickle


class Entry:
    """One step of the history, with the Set as it was before."""

    def __init__(self, before, author, label):
        self.before, self.author, self.labels = before, author, [label]


class UndoHistory:
    """Steps don't nest: one end closes them all, and an end without a beginning does nothing."""

    def __init__(self):
        self.entries, self.undone = [], []
        self._is_open = False
        self._joined = None

    def begin(self):
        """Open a step. Nothing happens if one is open."""
        if not self._is_open:
            self._is_open, self._joined = True, None

    def end(self):
        """Close the step."""
        self._is_open, self._joined = False, None

    def before_change(self, state, label, author, stands_alone):
        """Remember the Set before a change; return the entry if the change made a new one."""
        self.undone = []
        is_joining = self._is_open and author == "script" and not stands_alone
        if is_joining and self._joined is not None:
            self._joined.labels.append(label)
            return None
        entry = Entry(pickle.dumps(state, pickle.HIGHEST_PROTOCOL), author, label)
        self.entries.append(entry)
        # A change by the user, and one that always stands alone, split an open step.
        self._joined = entry if is_joining else None
        return entry

    def drop(self, entry):
        """The change didn't happen."""
        if entry is not None:
            self.entries.remove(entry)
            self._joined = None

    def undo(self, state):
        """Take the last step back: the Set before it and its author, or None."""
        return self._step(self.entries, self.undone, state)

    def redo(self, state):
        """Do again what was undone last."""
        return self._step(self.undone, self.entries, state)

    def _step(self, history, other, state):
        if not history:
            return None
        entry = history.pop()
        self._joined = None
        other.append(Entry(pickle.dumps(state, pickle.HIGHEST_PROTOCOL), entry.author, entry.labels[0]))
        return pickle.loads(entry.before), entry.author
