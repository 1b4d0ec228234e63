"""The common part of Live's objects: fresh proxies, strict types, a record of each access."""

import math

from .world import world


class ArgumentError(TypeError):
    """The error that Boost.Python raises."""


class DeadError(Exception):
    """An error of no known kind."""


class Vector:
    """A list of Live objects that can be counted, indexed and walked through, and no more."""

    def __init__(self, items, make=lambda item: item):
        self._items, self._make = tuple(items), make

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return self._make(self._items[index])

    def __iter__(self):
        return map(self._make, self._items)


class LiveObject:
    """A short-lived proxy; two of them are equal if their addresses are."""

    def __init__(self, item):
        self.__dict__.update(_id=item.id, _ptr=item.ptr, _generation=world.generation)

    @property
    def _live_ptr(self):
        """The address; each look at it counts."""
        world.pointer_reads += 1
        return self._ptr

    def __eq__(self, other):
        return type(self) is type(other) and self._ptr == other._ptr

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._ptr)

    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            world.fault("UNKNOWN_PROPERTY", "violation", "%s.%s" % (type(self).__name__, name))
        object.__setattr__(self, name, value)

    def _item(self):
        """The object in the Set. Raises if it was deleted or its Set was closed."""
        label = type(self).__name__
        if self._generation != world.generation:
            world.fault("OBJECT_OF_A_CLOSED_SET", "violation", label)
            raise ArgumentError("Python argument types in None.None(%s) did not match" % label)
        item = world.set.by_id.get(self._id)
        if item is None:
            world.fault("DEAD_OBJECT", "refusal", label)
            kind = ArgumentError if world.habits.dead_objects == "type error" else DeadError
            raise kind("Python argument types in None.None(%s) did not match" % label)
        return item


class LiveProperty:
    """A property with a strict type. since is the first version that has it."""

    def __init__(self, read, since=(0,)):
        self._read, self._since = read, since
        self._write = self._kind = None
        self._changes = True
        self.__doc__ = read.__doc__

    def __set_name__(self, owner, name):
        self._label = "%s.%s" % (owner.__name__, name)

    def __get__(self, proxy, owner=None):
        require_version(self._label, self._since)
        if proxy is None:
            return self
        return world.call(self._label, lambda: self._read(proxy, proxy._item()))

    def __set__(self, proxy, value):
        label = self._label + "="
        require_version(self._label, self._since)
        if self._write is None:
            world.fault("READ_ONLY", "violation", label)
            raise AttributeError("can't set attribute")

        def act():
            item = proxy._item()
            check(self._kind, value, self._label)
            self._write(proxy, item, value)

        world.call(label, act, changes=self._changes)

    def writes(self, kind, changes=True):
        """Make it settable. kind: int, float, bool, str, object."""

        def keep(write):
            self._write, self._kind, self._changes = write, kind, changes
            return self

        return keep


def live_property(read):
    """A property that every version has."""
    return LiveProperty(read)


def property_since(*version):
    """A property that older versions lack."""
    return lambda read: LiveProperty(read, version)


def live_method(changes=False, since=(0,)):
    """A method of a Live object; it gets the proxy, the object in the Set, and its arguments."""

    def decorate(function):
        return _Method(function, changes, since)

    return decorate


class _Method:
    def __init__(self, function, changes, since):
        self._function, self._changes, self._since = function, changes, since

    def __set_name__(self, owner, name):
        self._label = "%s.%s" % (owner.__name__, name)

    def __get__(self, proxy, owner=None):
        require_version(self._label, self._since)
        if proxy is None:
            return self

        def bound(*given):
            act = lambda: self._function(proxy, proxy._item(), *given)
            return world.call(self._label, act, changes=self._changes)

        return bound


def forbidden(name, fault, label):
    """Record what the script must never do to a Set in use: select, launch, stop."""
    world.fault(fault, "violation", "%s.%s" % (label, name))


def require_version(label, since):
    """An older Live has no such member. since may be one version for each major number."""
    now = world.habits.numbers()
    each = since if isinstance(since[0], tuple) else (since,)
    if now < max([first for first in each if first[0] <= now[0]] or each):
        raise AttributeError(label)


def check(kind, value, label):
    """Refuse a value of another type, as Boost.Python does."""
    habits = world.habits
    if kind is object:
        return
    if value is None:
        _mismatch("NONE_GIVEN", label, value)
    if kind is bool and type(value) is not bool:
        if habits.bools_reject_ints or type(value) is not int:
            _mismatch("WRONG_TYPE", label, value)
    if kind is int:
        if type(value) is float:
            _mismatch("FLOAT_FOR_INT", label, value)
        if type(value) is not int and (habits.ints_reject_bools or type(value) is not bool):
            _mismatch("WRONG_TYPE", label, value)
    if kind is float:
        strict = habits.floats_reject_ints
        if type(value) is int and (strict == "all" or label in strict):
            _mismatch("INT_FOR_FLOAT", label, value)
        if type(value) not in (int, float):
            _mismatch("WRONG_TYPE", label, value)
        if not math.isfinite(value):
            _mismatch("NOT_A_NUMBER", label, value)
    if kind is str and type(value) is not str:
        _mismatch("WRONG_TYPE", label, value)


def _mismatch(name, label, value):
    world.fault(name, "violation", "%s: %r" % (label, value))
    raise ArgumentError(
        "Python argument types in %s(%s) did not match C++ signature" % (label, type(value).__name__)
    )
