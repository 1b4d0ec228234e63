import { expect, test } from "vitest";
import { layoutOf, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { someOf } from "../../../../whole-forms.ts";
import { manyLoops } from "./live-costs.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { numberCalls, violationsIn } from "./fake-live-log.ts";
import type { FakeSetGiven } from "./fake-live-set.ts";
import { differencesIn } from "./follow-live.ts";
import { liveStudio, placedOf } from "./live-studio.ts";
import { clipOf, lasting, tracksAfter } from "./look-in-set.ts";
import { added, NOTHING, QUICK, RUN, SMALL } from "./small-layout.ts";

const THEIRS: FakeSetGiven = {
  selectedScene: 1,
  selectedTrack: 0,
  detailClip: [0, 0],
  tracks: [{ name: "Drums", clips: [{ name: "Theirs" }] }, { name: "Bass" }],
};

test("[H16] a person's selection and their open clip stay, also where Live selects what it creates", async () => {
  const studio = await liveStudio({ habits: { ...QUICK, creatingSelects: true }, set: THEIRS });
  await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  expect(await studio.live.dump()).toMatchObject({
    selectedScene: 1,
    selectedTrack: 0,
    detailClip: [0, 0],
  });
  expect(violationsIn(await studio.live.log())).toEqual([]);
});

test("[H16] what a person selects meanwhile stays selected", async () => {
  const studio = await liveStudio({ habits: { ...QUICK, creatingSelects: true }, set: THEIRS });
  await studio.live.stop();
  const placing = studio.host.place(await studio.request(SMALL, { runId: RUN }));
  for (let tick = 0; (await studio.live.dump()).tracks.length < 4 && tick < 1000; tick += 1) {
    await studio.live.tick();
    await new Promise(setImmediate);
  }
  await studio.live.edit({ do: "selectTrack", index: 1 });
  await studio.live.run();
  await placing;
  expect(await studio.live.dump()).toMatchObject({ selectedScene: 1, selectedTrack: 1 });
  expect(violationsIn(await studio.live.log())).toEqual([]);
});

test.each([true, false])(
  "[H14] a number sign at a name's start is no difference, where Live replaces it: %s",
  async (numberSigns) => {
    const layout = layoutOf([{ ...ONE_SHOT, trackName: "# Kick", gainDb: 0 }]);
    const studio = await liveStudio({ habits: { ...QUICK, numberSigns } });
    const before = await studio.live.dump();
    const placed = await studio.host.place(await studio.request(layout, { runId: RUN }));
    expect(differencesIn(layout, placed)).toEqual({});
    const [track] = tracksAfter(before, await studio.live.dump());
    expect(track?.name).toBe(numberSigns ? "## Kick" : "# Kick");
    expect(violationsIn(await studio.live.log())).toEqual([]);
  },
);

test.each(["", "loud", "dB"])(
  "[H14] a gain that Live shows as “%s” costs no sound",
  async (gainText) => {
    const layout = layoutOf([{ ...ONE_SHOT, gainDb: -6 }]);
    const studio = await liveStudio({ habits: { ...QUICK, gainText } });
    const before = await studio.live.dump();
    const placed = await studio.host.place(await studio.request(layout, { runId: RUN }));
    expect(placedOf(placed, "kick").notes.join(" ")).toContain("gain");
    const [track] = tracksAfter(before, await studio.live.dump());
    expect(track && clipOf(track).gain).toBeCloseTo(0.25, 6);
  },
);

test("[H14] no input is recognized by its category in any language", async () => {
  const habits = { ...QUICK, inputTypes: ["Ext. Eingang", "Kein Eingang"] };
  const studio = await liveStudio({
    habits: { ...habits, inputCategories: { "Kein Eingang": 6 } },
  });
  const before = await studio.live.dump();
  const placed = await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  const made = tracksAfter(before, await studio.live.dump());
  expect(made.map(({ inputType }) => inputType)).toEqual(["Kein Eingang", "Kein Eingang"]);
  expect(placedOf(placed, "kick").notes.join(" ")).not.toContain("input");
});

/** Live takes the first track and refuses the second, so that all is removed, and more calls fail on the way. */
async function refused(more: FakeHabits["failing"]) {
  const second = { call: "Song.create_audio_track", nth: 2 };
  const habits = { ...QUICK, deadObjects: "other", failing: [second, ...more] } as const;
  const studio = await liveStudio({ habits });
  const before = await studio.live.dump();
  const request = await studio.request(SMALL, { runId: RUN });
  const error: unknown = await studio.host.place(request).catch((thrown: unknown) => thrown);
  const stays = added(before, await studio.live.dump());
  const calls = numberCalls((await studio.live.log()).calls);
  await studio.live.kill();
  return { error, stays, calls };
}

test("[H16] whatever fails while all is removed, each thing is removed by one try", async () => {
  const { calls, stays } = await refused([]);
  expect(stays).toEqual(NOTHING);
  const first = calls.findIndex(({ call, nth }) => call === "Song.create_audio_track" && nth === 2);
  const removing = calls.slice(first + 1);
  expect(removing.map(({ call }) => call)).toContain("Song.delete_track");
  for (const failing of someOf(removing, 6)) {
    const end = await refused([failing]);
    const why = `${failing.call}, ${failing.nth}: ${String(end.error)}`;
    for (const call of ["Song.delete_track", "Song.delete_scene"]) {
      expect(end.calls.filter((each) => each.call === call).length, why).toBeLessThanOrEqual(1);
    }
    expect(end.error, why).toBeInstanceOf(Error);
    for (const name of end.stays.tracks) expect(String(end.error), why).toContain(name);
    if (end.stays.scenes > 0) expect(String(end.error), why).toContain("Kit (Looper)");
  }
});

test("[H16] a track that the person deletes while all is removed doesn’t hold that up", async () => {
  const studio = await liveStudio({ habits: { ...QUICK, deadObjects: "other" } });
  const before = await studio.live.dump();
  await studio.live.stop();
  const callOff = new AbortController();
  const request = await studio.request(SMALL, { runId: RUN, signal: callOff.signal });
  const placing = studio.host.place(request).catch((error: unknown) => error);
  for (let tick = 0; (await studio.live.dump()).tracks.length < 4 && tick < 1000; tick += 1) {
    await studio.live.tick();
    await new Promise(setImmediate);
  }
  await studio.live.edit({ do: "deleteTrack", index: 2 });
  callOff.abort(new Error("called off"));
  await studio.live.run();
  expect(await placing).toHaveProperty("message", "called off");
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
});

async function readsIn(set: FakeSetGiven): Promise<number> {
  const studio = await liveStudio({ habits: QUICK, set });
  const earlier = await studio.live.log();
  const placed = await studio.host.place(
    await studio.request(layoutOf(manyLoops()), { runId: RUN, reuseTracks: true }),
  );
  expect(placed.every((sound) => "holds" in sound)).toBe(true);
  const later = await studio.live.log();
  await studio.live.kill();
  return later.calls.length - earlier.calls.length + later.pointerReads - earlier.pointerReads;
}

test("[H12] a Set of 300 tracks and 1,000 scenes takes at most twice the reads of a small one", async () => {
  const small = await readsIn({});
  const huge = await readsIn({
    selectedScene: 500,
    tracks: Array.from({ length: 300 }, (_, index) => ({ name: `${index}` })),
    scenes: Array.from({ length: 1000 }, () => ({})),
  });
  expect(huge).toBeLessThan(2 * small);
});

test("[H12] every callback of Live's control surfaces exists, and returns what Live converts", async () => {
  const { live } = await liveStudio({ habits: QUICK });
  const { callbacks, faults } = await live.log();
  expect(callbacks.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(
      [
        "build_midi_map refresh_state connect_script_instances port_settings_changed receive_midi handle_sysex",
        "suggest_input_port suggest_output_port suggest_map_mode can_lock_to_devices supports_pad_translation",
        "is_extension lock_to_device unlock_from_device toggle_lock set_appointed_device restore_bank",
      ].flatMap((names) => names.split(" ")),
    ),
  );
  expect(faults).toEqual([]);
});
