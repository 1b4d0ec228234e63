import { describe, expect, test } from "vitest";
import type { FakeSetGiven } from "./fake-live-set.ts";
import { refusalsIn, violationsIn } from "./fake-live-log.ts";
import { CLIP, openProbe, probe, saidIn } from "./probe-live.ts";

const attempt = (line: string) => `attempt("${line}")`;

describe("tracks and scenes in the fake Live", () => {
  test("go to the end, to a place, or after the selected track", async () => {
    const { set } = await probe(
      [
        "a = song().create_audio_track(-1)\na.name = 'end'",
        "b = song().create_audio_track()\nb.name = 'after'",
        "c = song().create_audio_track(0)\nc.name = 'first'",
        "song().create_scene(1).name = 'row'",
      ],
      { set: { selectedTrack: 0 } },
    );
    expect(set.tracks.map(({ name }) => name)).toEqual([
      "first",
      "1-MIDI",
      "after",
      "2-Audio",
      "end",
    ]);
    expect(set.scenes.map(({ name }) => name).slice(0, 3)).toEqual(["", "row", ""]);
    expect(set.scenes).toHaveLength(9);
    expect(new Set(set.tracks.map(({ clips }) => clips.length))).toEqual(new Set([9]));
    expect([set.selectedTrack, set.selectedScene]).toEqual([1, 0]);
  });

  test.each([
    [{ variant: "Lite" }, "LIMIT", "LIMIT"],
    [{ variant: "Intro" }, "done", "done"],
    [{ variant: "Suite" }, "done", "done"],
    [{ variant: "Intro", limits: { tracks: 8, scenes: 16 } }, "LIMIT", "done"],
  ] as const)("have a limit in some editions: %j", async (habits, track, scene) => {
    const set: FakeSetGiven = { tracks: Array.from({ length: 8 }, () => ({})) };
    const { said, log } = await probe(
      [attempt("song().create_audio_track(-1)"), attempt("song().create_scene(-1)")],
      { habits, set },
    );
    const outcome = (wanted: string) =>
      wanted === "done" ? "done" : expect.stringMatching(/^LimitationError: /);
    expect(said).toEqual([outcome(track), outcome(scene)]);
    expect(refusalsIn(log)).toEqual([...new Set([track, scene].filter((one) => one !== "done"))]);
  });

  test("raise LimitationError for a place that isn't there, and keep the last of their kind", async () => {
    const set = { tracks: [{}], scenes: [{}] };
    const { said } = await probe(
      [
        "song().create_scene(5)",
        "song().create_audio_track(5)",
        "song().delete_track(0)",
        "song().delete_scene(0)",
        "song().delete_scene(3)",
      ].map(attempt),
      { set },
    );
    expect(said).toEqual([
      "LimitationError: Invalid index",
      "LimitationError: Invalid index",
      "RuntimeError: The last one can't be deleted",
      "RuntimeError: The last one can't be deleted",
      "RuntimeError: Invalid index",
    ]);
  });

  test("are new objects at each access, equal by address, and an address comes again", async () => {
    const { said } = await probe([
      `
one, same, other = song().tracks[0], song().tracks[0], song().tracks[1]
say(one is same, one == same, one == other, one._live_ptr == same._live_ptr)
gone = song().create_audio_track(-1)
gone_ptr = gone._live_ptr
song().delete_track(2)
pointers = [slot._live_ptr for slot in one.clip_slots]
say(song().create_audio_track(-1)._live_ptr == gone_ptr)
attempt("gone.name")`,
    ]);
    expect(said.slice(0, 5)).toEqual([false, true, false, true, true]);
    expect(said[5]).toMatch(/^ArgumentError/);
  });

  test("refuse other types by name", async () => {
    const { log } = await probe([
      [
        "song().tracks[0].color_index = 5.0",
        "song().tracks[0].color_index = None",
        "song().tracks[0].color_index = True",
        "song().tracks[0].arm = 0",
        "song().tracks[0].name = 7",
        "song().tracks[1].mixer_device.volume.value = 1",
        "song().tracks[1].input_routing_type = 'No Input'",
      ]
        .map(attempt)
        .join("\n"),
    ]);
    expect(log.faults.map(({ name }) => name)).toEqual([
      "FLOAT_FOR_INT",
      "NONE_GIVEN",
      "WRONG_TYPE",
      "WRONG_TYPE",
      "WRONG_TYPE",
      "INT_FOR_FLOAT",
      "WRONG_TYPE",
    ]);
    expect(log.calls.filter(({ changes }) => changes).map(({ error }) => error)).not.toContain(
      null,
    );
  });

  test("keep colors of the palette, routing, tempo and data", async () => {
    const { said, set } = await probe([
      `
track, scene = song().tracks[1], song().scenes[0]
track.color = 0xFF3637
inputs = track.available_input_routing_types
track.input_routing_type = [one for one in inputs if one.display_name == "No Input"][0]
say(track.color_index, track.color, track.input_routing_type.display_name)
say(scene.color_index, scene.tempo, scene.tempo_enabled)
scene.tempo = 93.0
say(scene.tempo, scene.tempo_enabled)
track.set_data("soundferry", "mark")
song().set_data("soundferry", "note")
say(track.get_data("soundferry", ""), song().get_data("other", "none"))
attempt("scene.set_data('soundferry', 'mark')")`,
    ]);
    expect(said.slice(0, 8)).toEqual([14, 0xff3636, "No Input", null, -1, false, 93, true]);
    expect(said.slice(8, 10)).toEqual(["mark", "none"]);
    expect(said[10]).toMatch(/^AttributeError/);
    expect(set.tracks[1]?.data).toEqual({ soundferry: "mark" });
    expect(set.data).toEqual({ soundferry: "note" });
  });

  test("record who selects, launches, stops or shows", async () => {
    const { log } = await probe([
      `
song().view.selected_scene = song().scenes[1]
song().duplicate_scene(0)
song().scenes[0].fire()
song().stop_all_clips()
song().tempo = 99.0
Live.Application.get_application().view.show_view("Session")
song().tracks[1].arm = True`,
    ]);
    expect(violationsIn(log)).toEqual([
      "SELECTS",
      "LAUNCHES",
      "STOPS",
      "WRITES_THE_TEMPO",
      "SHOWS_SOMETHING",
      "ARMS",
    ]);
  });
});

describe("undo in the fake Live", () => {
  const RENAMES = "song().tracks[0].name = 'a'\nsong().tracks[1].name = 'b'";

  test("takes back each change alone without a step", async () => {
    const { log, set } = await probe([`${RENAMES}\nsong().undo()`]);
    expect(log.undo.map(({ labels }) => labels)).toEqual([["Track.name="]]);
    expect(set.tracks.map(({ name }) => name)).toEqual(["a", "2-Audio"]);
  });

  test("takes a step over several ticks back as one; steps don't nest, and an empty one is none", async () => {
    const { log, set } = await probe([
      "song().begin_undo_step()\nsong().end_undo_step()\nsong().end_undo_step()",
      "song().begin_undo_step()\nsong().begin_undo_step()",
      `song().create_scene(-1)\n${CLIP}`,
      `${RENAMES}\nsong().end_undo_step()`,
      "song().tracks[0].name = 'c'",
      "song().undo()\nsong().undo()\nsay(song().can_undo)",
    ]);
    expect(log.undo).toEqual([]);
    expect(saidIn(log)).toEqual([false]);
    expect(set.scenes).toHaveLength(8);
    expect(set.tracks.map(({ name }) => name)).toEqual(["1-MIDI", "2-Audio"]);
    expect(set.tracks[1]?.clips[0]).toBeNull();
  });

  test("keeps some changes apart, and a step is split by a person's edit", async () => {
    await using live = await openProbe(
      [`song().begin_undo_step()\n${RENAMES}\nsong().create_scene(-1)`, RENAMES, "song().undo()"],
      { habits: { ownUndoEntries: ["Song.create_scene"] } },
    );
    await live.tick(1);
    await live.edit({ do: "renameScene", index: 0, name: "mine" });
    await live.tick(1);
    const { undo } = await live.log();
    expect(undo.map(({ author, labels }) => [author, labels.length])).toEqual([
      ["script", 2],
      ["script", 1],
      ["user", 1],
      ["script", 2],
    ]);
    await live.edit({ do: "undo" });
    await live.tick(1);
    const log = await live.log();
    expect(violationsIn(log)).toEqual(["UNDOES_THE_PERSONS_WORK"]);
    expect((await live.dump()).scenes[0]?.name).toBe("");
  });

  test("of a change that Live refused is none", async () => {
    const { log } = await probe([attempt("song().delete_track(9)")]);
    expect(log.undo).toEqual([]);
  });
});
