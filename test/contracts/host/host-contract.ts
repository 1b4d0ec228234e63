import { expect, test } from "vitest";
import type { Host, HostJournal, PlaceRequest } from "../../../addon/hosts/host.ts";
import { compareSettings } from "../../../core/report/compare-settings.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import type { Layout, PlannedSound, TrackPlan } from "../../../core/layout/layout.ts";
import { WARP_MODE_KEYS, type WarpMode } from "../../../core/manifest/manifest.ts";
import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

/** Takes steps together as a journal does that isn't watched for them. */
export const withoutJournal: HostJournal["together"] = (_, act) => act();

/** A host, and a way to inspect its content without going through it. */
export interface HostUnderTest {
  readonly host: Host;
  /** Names of all scenes and tracks, in order. */
  readonly look: () => Promise<{
    readonly scenes: readonly string[];
    readonly tracks: readonly string[];
  }>;
  /** The host keeps one copy of a package: placing it again replaces the first. */
  readonly replaces?: true;
}

export const LOOP: TrackPlan = {
  soundId: "beat",
  trackName: "Beat (Looper)",
  clipName: "Beat",
  kind: "loop",
  warping: true,
  warpMode: "beats",
  looping: true,
  loopEndBeats: 16,
  tempoBpm: 174,
  colorIndex: 5,
  gainDb: -3,
  notes: [],
};
export const ONE_SHOT: TrackPlan = {
  ...LOOP,
  soundId: "kick",
  trackName: "Kick (Looper)",
  clipName: "Kick",
  kind: "oneshot",
  warping: false,
  warpMode: null,
  looping: false,
  loopEndBeats: null,
  tempoBpm: null,
};
export const GUESSED: TrackPlan = {
  ...LOOP,
  soundId: "__proto__",
  trackName: "Pad (Looper)",
  clipName: "Pad",
  loopEndBeats: null,
  tempoBpm: null,
};
export const UNUSABLE: PlannedSound = {
  soundId: "broken",
  trackName: "Broken (Looper)",
  clipName: "Broken",
  kind: "loop",
  error: "broken.wav: its end is missing.",
};

export function layoutOf(tracks: readonly PlannedSound[], packageId = "pkg_a"): Layout {
  return {
    packageId,
    scene: { name: "Kit (Looper)" },
    session: { tempoBpm: null, timeSignature: null },
    tracks,
    warnings: [],
  };
}

/** The loop in another warp mode, which is also its id. */
function loopIn(warpMode: WarpMode): TrackPlan {
  return { ...LOOP, soundId: warpMode, warpMode };
}

/** A request as the importer makes it, with a real journal. */
export async function placeRequest(
  layout: Layout,
  more: Partial<PlaceRequest> & { readonly runId?: string } = {},
): Promise<PlaceRequest> {
  const { runId = "run-1", ...rest } = more;
  return {
    layout,
    files: new Map(layout.tracks.map(({ soundId }) => [soundId, `/sounds/${soundId}.wav`])),
    journal: await journalOf(runId),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...rest,
  };
}

async function journalOf(runId: string): Promise<HostJournal> {
  const journals = new Journals(await temporaryFolder(), () => 0);
  return journals.begin("pkg_a", { runId, hostName: "tested", title: "Kit", earlier: [] });
}

/**
 * Tests the guarantees of every host to the importer. `make` returns a new, empty one.
 * @param options.onlySaves the host has no session, so that nothing is ever placed (rule R16)
 */
export function testHostContract(
  make: () => Promise<HostUnderTest>,
  { onlySaves = false }: { readonly onlySaves?: boolean } = {},
): void {
  if (onlySaves) testSaving(make);
  else testSession(make);

  test("[T5] takes every warp mode", async () => {
    const { host } = await make();
    const loops = WARP_MODE_KEYS.map(loopIn);
    const placed = await host.place(await placeRequest(layoutOf(loops)));
    expect(placed).toHaveLength(loops.length);
    for (const [index, plan] of loops.entries()) {
      const sound = placed[index];
      if (sound === undefined || !("holds" in sound)) throw new Error("It was not placed.");
      expect(compareSettings(plan, sound.holds, sound.tolerances)).toEqual([]);
    }
  });
}

/** Tests a host that only saves: it never claims a track, and takes no step that could leave something. */
function testSaving(make: () => Promise<HostUnderTest>): void {
  test("[R16] places nothing, however often it is asked, and says so at each usable sound", async () => {
    const { host, look } = await make();
    const steps: string[] = [];
    for (const runId of ["run-1", "run-2"]) {
      const request = await placeRequest(layoutOf([GUESSED, UNUSABLE, ONE_SHOT]), { runId });
      const journal: HostJournal = {
        runId,
        earlier: [],
        together: withoutJournal,
        step: (label, act, kind) => {
          steps.push(label);
          return request.journal.step(label, act, kind);
        },
      };
      expect(await host.place({ ...request, journal })).toEqual([
        { soundId: GUESSED.soundId, holds: {}, notes: [SAVED_AS_FILES] },
        { soundId: ONE_SHOT.soundId, holds: {}, notes: [SAVED_AS_FILES] },
      ]);
    }
    expect(steps).toEqual([]);
    expect(await look()).toEqual({ scenes: [], tracks: [] });
  });

  test("[R16] tells nobody that it placed a sound, and stops where it is aborted", async () => {
    const { host } = await make();
    const onProgress = () => expect.unreachable("Nothing is placed.");
    const layout = layoutOf([LOOP, ONE_SHOT]);
    expect(await host.place(await placeRequest(layout, { onProgress }))).toHaveLength(2);
    const signal = AbortSignal.abort(new Error("called off"));
    await expect(host.place(await placeRequest(layout, { signal }))).rejects.toThrow("called off");
  });
}

/** Tests a host with a session. */
function testSession(make: () => Promise<HostUnderTest>): void {
  test("reports its progress after each sound", async () => {
    const { host } = await make();
    const progress: [number, number][] = [];
    const onProgress = (placed: number, total: number) => void progress.push([placed, total]);
    await host.place(await placeRequest(layoutOf([LOOP, UNUSABLE, ONE_SHOT]), { onProgress }));
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test("leaves nothing behind, whenever it is aborted", async () => {
    for (const after of [0, 1, 2]) {
      const { host, look } = await make();
      const callOff = new AbortController();
      const reason = new Error("called off");
      if (after === 0) callOff.abort(reason);
      const { signal } = callOff;
      const onProgress = (placed: number) => void (placed === after && callOff.abort(reason));
      const request = await placeRequest(layoutOf([LOOP, ONE_SHOT]), { signal, onProgress });
      await expect(host.place(request)).rejects.toThrow("called off");
      expect(await look()).toEqual({ scenes: [], tracks: [] });
    }
  });

  test("[T1] makes one scene and one track per usable sound, in the layout's order", async () => {
    const { host, look } = await make();
    await host.place(await placeRequest(layoutOf([GUESSED, UNUSABLE, LOOP, ONE_SHOT])));
    expect(await look()).toEqual({
      scenes: ["Kit (Looper)"],
      tracks: ["Pad (Looper)", "Beat (Looper)", "Kick (Looper)"],
    });
  });

  test("[S7] returns what it holds, sound by sound", async () => {
    const { host } = await make();
    const placed = await host.place(await placeRequest(layoutOf([LOOP, UNUSABLE, ONE_SHOT])));
    expect(placed.map(({ soundId }) => soundId)).toEqual(["beat", "kick"]);
    for (const [index, plan] of [LOOP, ONE_SHOT].entries()) {
      const sound = placed[index];
      if (sound === undefined || !("holds" in sound)) throw new Error("It was not placed.");
      expect(sound.holds).toHaveProperty("trackName", plan.trackName);
      expect(compareSettings(plan, sound.holds, sound.tolerances)).toEqual([]);
    }
  });

  test("[R4] does each step through the journal", async () => {
    const { host, look } = await make();
    const request = await placeRequest(layoutOf([LOOP]));
    const before: number[] = [];
    const journal: HostJournal = {
      ...request.journal,
      runId: "run-1",
      earlier: [],
      together: withoutJournal,
      step: async (label, act) => {
        const { scenes, tracks } = await look();
        before.push(scenes.length + tracks.length);
        return request.journal.step(label, act);
      },
    };
    await host.place({ ...request, journal });
    expect(before[0]).toBe(0);
    expect(before.length).toBeGreaterThan(1);
  });

  test("places a package again as its own scene, or in place of the first", async () => {
    const { host, look, replaces = false } = await make();
    await host.place(await placeRequest(layoutOf([LOOP]), { runId: "run-1" }));
    await host.place(await placeRequest(layoutOf([LOOP]), { runId: "run-2" }));
    const times = replaces ? 1 : 2;
    expect(await look()).toEqual({
      scenes: Array.from({ length: times }, () => "Kit (Looper)"),
      tracks: Array.from({ length: times }, () => "Beat (Looper)"),
    });
  });
}
