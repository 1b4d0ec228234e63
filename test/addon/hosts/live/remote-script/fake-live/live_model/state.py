"""The content of a Set. Objects refer to each other directly and are known to proxies by their id."""

AUDIO, MIDI = "audio", "midi"


class Item:
    """Anything with an identity: id is unique for ever, ptr is an address that may come again."""

    def __init__(self, owner):
        self.id, self.ptr = owner.identify(self)


class ClipState(Item):
    """A clip. play are start and end marker, brace is the loop; beats if warped, else seconds."""

    def __init__(self, owner, file_path, frames, rate):
        Item.__init__(self, owner)
        self.file_path, self.frames, self.rate = file_path, frames, rate
        self.name, self.color_index = "", 13
        self.is_audio = True
        self.warping = self.looping = self.muted = False
        self.warp_mode = 0
        self.markers, self.shadow_bpm = [(0.0, 0.0)], 120.0
        self.play, self.brace = [0.0, 1.0], [0.0, 1.0]
        # An end marker that was written to a clip without a loop: it reads back and isn't real.
        self.unreal_end = None
        self.gain = 0.4
        self.pitch_coarse, self.pitch_fine = 0, 0.0
        self.ram_mode = self.legato = False
        self.launch_mode = self.launch_quantization = 0
        self.touched = self.is_analyzed_again = False

    def seconds(self):
        """The file's length."""
        return self.frames / self.rate


class SlotState(Item):
    """The slot in which a track and a scene cross."""

    def __init__(self, owner, track):
        Item.__init__(self, owner)
        self.track, self.clip = track, None


class TrackState(Item):
    """A track with a slot for each scene."""

    def __init__(self, owner, kind, name, scenes):
        Item.__init__(self, owner)
        self.kind, self.name = kind, name
        self.color_index = 0
        self.slots = [SlotState(owner, self) for _ in range(scenes)]
        self.volume = 0.85
        self.arm = self.frozen = self.mute = self.solo = False
        self.input_type = "Ext. In"
        self.data = {}


class SceneState(Item):
    """A scene; tempo is None while it has none."""

    def __init__(self, owner, name):
        Item.__init__(self, owner)
        self.name, self.color_index, self.tempo = name, None, None
        self.has_time_signature = False
        self.data = {}


class SetState:
    """A whole Set."""

    def __init__(self, reuses_addresses):
        self.reuses_addresses = reuses_addresses
        self.next_id = 1
        self.by_id, self.free = {}, []
        self.tempo, self.is_playing, self.song_time = 120.0, False, 0.0
        self.name, self.file_path = "", ""
        self.tracks, self.scenes, self.data = [], [], {}
        self.selected_track = self.selected_scene = self.detail_clip = None
        # The ids that the person selected last: only these may be selected again.
        self.chosen = {}

    def select(self, is_person=False, **chosen):
        """Select things by id: selected_track, selected_scene, detail_clip."""
        self.__dict__.update(chosen)
        if is_person:
            self.chosen.update(chosen)

    def identify(self, item):
        """A new id and an address, a deleted object's if there is one."""
        number = self.next_id
        self.next_id += 1
        self.by_id[number] = item
        reused = self.free.pop() if self.free and self.reuses_addresses else None
        return number, reused or 0x7F0000000000 + number * 64

    def forget(self, item):
        """The object is gone; its address is free."""
        del self.by_id[item.id]
        self.free.append(item.ptr)

    def add_track(self, index, kind, name):
        """Insert a track."""
        track = TrackState(self, kind, name, len(self.scenes))
        self.tracks.insert(index, track)
        return track

    def remove_track(self, index):
        """Delete a track with its clips."""
        track = self.tracks.pop(index)
        for slot in track.slots:
            self.remove_clip(slot)
            self.forget(slot)
        self.forget(track)
        if self.selected_track == track.id and self.tracks:
            self.select(True, selected_track=self.tracks[min(index, len(self.tracks) - 1)].id)

    def add_scene(self, index, name):
        """Insert a scene with a slot in each track."""
        scene = SceneState(self, name)
        self.scenes.insert(index, scene)
        for track in self.tracks:
            track.slots.insert(index, SlotState(self, track))
        return scene

    def remove_scene(self, index):
        """Delete a scene with its clips."""
        scene = self.scenes.pop(index)
        for track in self.tracks:
            slot = track.slots.pop(index)
            self.remove_clip(slot)
            self.forget(slot)
        self.forget(scene)
        if self.selected_scene == scene.id and self.scenes:
            self.select(True, selected_scene=self.scenes[min(index, len(self.scenes) - 1)].id)

    def move_scene(self, start, end):
        """Move a scene with its clips."""
        for row in [self.scenes] + [track.slots for track in self.tracks]:
            row.insert(end, row.pop(start))

    def remove_clip(self, slot):
        """Empty a slot."""
        if slot.clip is not None:
            if self.detail_clip == slot.clip.id:
                self.select(True, detail_clip=None)
            self.forget(slot.clip)
            slot.clip = None

    def index_of(self, row, number):
        """Place of an object in a list, or None."""
        for index, item in enumerate(row):
            if item.id == number:
                return index
        return None
