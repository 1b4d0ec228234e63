import { expect, test } from "vitest";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import { comparedIn } from "../../../../../core/report/import-outcome.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { until } from "../../../../sim/until.ts";
import type { OutcomeTrack } from "./stand-in-looks.ts";
import { placedOf, surfaceStudio, type StudioOptions } from "./surface-studio.ts";

const KIT = layoutOf([LOOP, ONE_SHOT]);
const CHANGED = "You changed this clip after the import; it was not checked again.";
const OPEN = "This clip was open in Live, so Soundferry left it as it is.";
/** The markers once Live has heard 127 BPM instead. */
const HEARD = {
  markers: [
    [0, 0],
    [60 / 127, 1],
    [120 / 127, 2],
  ],
};

const ofBeat =
  (holds: object, about: object = {}) =>
  (track: OutcomeTrack) =>
    track["sound"] === "beat" ? { ...track, ...about, holds: { ...track.holds, ...holds } } : track;

/** Places the kit and follows it; returns what each look finds. */
async function looksIn(options: StudioOptions): Promise<readonly (readonly PlacedSound[])[]> {
  const { host, request } = await surfaceStudio(options);
  await host.place(await request(KIT));
  const found: (readonly PlacedSound[])[] = [];
  for await (const placed of host.follow("run-1", new AbortController().signal)) found.push(placed);
  return found;
}

function differencesOf(placed: readonly PlacedSound[] | undefined): readonly string[] {
  const sound = placedOf(placed ?? [], "beat");
  return compareSettings(LOOP, comparedIn(sound), sound.tolerances).map(({ setting }) => setting);
}

test("[H24] each look returns what Live holds by then, until the last", async () => {
  const same = (track: OutcomeTrack) => track;
  const looks = await looksIn({ looks: [same, ofBeat(HEARD), same] });
  expect(looks.map(differencesOf)).toEqual([[], ["tempo_bpm", "warp_markers"], []]);
  expect(looks.flatMap((placed) => placedOf(placed, "beat").notes)).not.toContain(CHANGED);
});

test("[H24] what a person changed is no difference, and a note says so", async () => {
  const edits = { name: "Mine", color_index: 20, gain: 0.9, gain_display_string: "20.0 dB" };
  const changed = [...Object.keys(edits), "pitch_coarse", "track", "volume"];
  const holds = { ...edits, pitch_coarse: 7, track: "My track", volume: 0.2 };
  const [placed] = await looksIn({ looks: [ofBeat(holds, { touched: true, changed })] });
  expect(differencesOf(placed)).toEqual([]);
  const { holds: held, notes, unchecked } = placedOf(placed ?? [], "beat");
  expect(held.trackName).toBe("My track");
  expect(notes).toEqual([CHANGED, "Use Collect All and Save to keep it with your Set."]);
  expect(unchecked).toEqual([]);
  expect(placedOf(placed ?? [], "kick").notes).not.toContain(CHANGED);
});

test("[H24] markers that Live changed stay a difference of a clip that a person has touched", async () => {
  const renamed = { touched: true, changed: ["name"] };
  const open = { touched: true, changed: [] };
  const looks = await looksIn({
    looks: [ofBeat({ ...HEARD, name: "Mine" }, renamed), ofBeat(HEARD, open)],
  });
  expect(looks.map(differencesOf)).toEqual([
    ["tempo_bpm", "warp_markers"],
    ["tempo_bpm", "warp_markers"],
  ]);
  const [first, second] = looks.map((placed) => placedOf(placed, "beat").notes);
  expect(first).toContain(CHANGED);
  expect(second).toContain(OPEN);
});

test("[H24] a person who unwarps a clip or takes off its loop makes no difference of its timing", async () => {
  const unwarped = { warping: false, markers: null, loop_end: 3.2, end_marker: 3.2 };
  const looks = await looksIn({
    looks: [
      ofBeat(unwarped, { touched: true, changed: ["warping"] }),
      ofBeat({ looping: false, loop_end: 12 }, { touched: true, changed: ["looping"] }),
      ofBeat(
        { loop_start: 4, loop_end: 8 },
        { touched: true, changed: ["loop_start", "loop_end"] },
      ),
    ],
  });
  expect(looks.map(differencesOf)).toEqual([[], [], []]);
});

test("[H24] a clip that a person removed keeps its result, with the note", async () => {
  const gone = { touched: true, undone: true, changed: ["clip"] };
  const [placed] = await looksIn({ looks: [ofBeat({}, gone)] });
  expect(differencesOf(placed)).toEqual([]);
  expect(placedOf(placed ?? [], "beat").notes).toContain(CHANGED);
});

test("[H24] goes on looking after the connection was lost, and ends with Live or its Set", async () => {
  const watched: string[] = [];
  const studio = await surfaceStudio({
    looks: [ofBeat(HEARD), ofBeat(HEARD), ofBeat(HEARD)],
    onWatch: async (run) => {
      watched.push(run);
      if (watched.length === 1) studio.surface.cut();
      // Another Set is opened: the control surface starts again and knows no run.
      if (watched.length === 3) {
        await studio.surface.quit();
        await studio.restart();
      }
    },
  });
  const { host, request } = studio;
  await host.place(await request(KIT));
  let looks = 0;
  for await (const placed of host.follow("run-1", new AbortController().signal)) {
    looks += 1;
    expect(differencesOf(placed)).toEqual(["tempo_bpm", "warp_markers"]);
  }
  expect([looks, watched]).toEqual([1, Array(3).fill("run-1")]);
  // A run can be followed once, and only one that was placed.
  for await (const _ of host.follow("run-1", new AbortController().signal)) expect.unreachable();
});

test("[H24] stops waiting when it is called off", async () => {
  const { host, request, surface } = await surfaceStudio({ onWatch: () => new Promise(() => {}) });
  await host.place(await request(KIT));
  const callOff = new AbortController();
  const looks = host.follow("run-1", callOff.signal)[Symbol.asyncIterator]();
  const next = expect(looks.next()).rejects.toThrow("called off");
  await until(() => surface.requests.some(({ call }) => call === "watch"));
  callOff.abort(new Error("called off"));
  await next;
});

test("[H24] all looks share one connection, of which the script keeps only so many", async () => {
  const { host, request, surface } = await surfaceStudio({ onWatch: () => new Promise(() => {}) });
  const callOff = new AbortController();
  for (const runId of ["run-1", "run-2", "run-3"]) {
    await host.place(await request(layoutOf([ONE_SHOT], `pkg_${runId}`), { runId }));
    const looks = host.follow(runId, callOff.signal)[Symbol.asyncIterator]();
    looks.next().catch(() => undefined);
  }
  await until(() => surface.requests.filter(({ call }) => call === "watch").length === 3);
  await until(() => surface.connections === 1);
  callOff.abort();
  host.close();
  await until(() => surface.connections === 0);
});

test("[H14] a leading number sign that the script had to double is no difference", async () => {
  const plan = { ...ONE_SHOT, trackName: "#1 Kick" };
  const layout = { ...layoutOf([plan]), scene: { name: "#1 Kit" } };
  for (const [shown, differs] of [
    ["#1 Kick", false],
    ["##1 Kick", false],
    ["5 Kick", true],
  ] as const) {
    const bends = (holds: object) => ({ ...holds, track: shown });
    const { host, request } = await surfaceStudio({ bends });
    const placed = placedOf(await host.place(await request(layout)), "kick");
    const differences = compareSettings(plan, placed.holds, placed.tolerances);
    expect(differences.map(({ setting }) => setting)).toEqual(differs ? ["track"] : []);
  }
});
