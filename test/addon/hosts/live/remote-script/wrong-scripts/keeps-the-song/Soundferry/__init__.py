"""Uses the Set of before when another one is open."""

from one_clip import Script, make

kept = []


def make_in_kept(song):
    """Makes a clip in the first Set that was open."""
    kept.append(song)
    make(kept[0])


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, [make_in_kept])
