import { describe, expect, test } from "vitest";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import { importOutcome, soundResults } from "../../../core/report/import-outcome.ts";
import type { PlannedSound, TrackPlan } from "../../../core/layout/layout.ts";
import { LOOP as CONTRACT_LOOP } from "../../contracts/host/host-contract.ts";

const LOOP: TrackPlan = {
  ...CONTRACT_LOOP,
  soundId: "1",
  tempoBpm: 120,
  notes: ["Its tempo is a guess."],
};
const UNUSABLE = {
  soundId: "2",
  trackName: "Kick (Looper)",
  clipName: "Kick",
  kind: "oneshot",
  error: "Can't read /home/ana/Music/Kick.wav.",
} as const;
const FOLDER = { path: "/sounds/Kit", name: "Kit", fileNameOf: () => "Beat.wav" };

function outcomeOf(tracks: readonly PlannedSound[], placed: readonly PlacedSound[]) {
  const session = { tempoBpm: null, timeSignature: null };
  const layout = { packageId: "pkg_a", scene: { name: "Kit" }, session, tracks, warnings: [] };
  return importOutcome(layout, placed, FOLDER);
}

const HELD = { soundId: "1", holds: {}, notes: [] };

describe("the outcome of an import", () => {
  test("[R1] of a sound that can't be used: no settings, and the reason without a path", () => {
    expect(outcomeOf([UNUSABLE], [])).toEqual({
      package_id: "pkg_a",
      status: "failed",
      scene: { name: "Kit" },
      folder: null,
      tracks: [
        {
          id: "2",
          status: "skipped",
          track: "Kick (Looper)",
          clip: "Kick",
          kind: "oneshot",
          file: null,
          path: null,
          warping: null,
          warp_mode: null,
          looping: null,
          loop_beats: null,
          tempo_bpm: null,
          color_index: null,
          gain_db: null,
          notes: [],
          differences: [],
          error: "Can't read Kick.wav.",
        },
      ],
    });
  });

  test.each<[string, readonly PlacedSound[], string]>([
    ["refused", [{ soundId: "1", error: "No /tmp/x/Beat.wav." }], "No Beat.wav."],
    ["left out of its answer", [], "No result was reported for this sound."],
    ["answered for another", [{ ...HELD, soundId: "9" }], "No result was reported for this sound."],
  ])("[R1] of a sound that the host %s", (_, placed, error) => {
    const { status, tracks } = outcomeOf([LOOP], placed);
    expect(status).toBe("failed");
    expect(tracks).toMatchObject([
      { status: "failed", error, file: "Beat.wav", tempo_bpm: 120, differences: [] },
    ]);
  });

  test("[S7] of a sound that is in the host names its track, what differs and where its file is", () => {
    const holds = { trackName: "1-Beat", gainDb: 0 };
    const notes = ["Copied from /home/ana/Beat.wav."];
    const { status, folder, tracks } = outcomeOf([LOOP], [{ ...HELD, holds, notes }]);
    expect([status, folder]).toEqual(["imported", "/sounds/Kit"]);
    expect(tracks).toMatchObject([
      {
        status: "imported",
        track: "1-Beat",
        file: "Beat.wav",
        path: "Kit/Beat.wav",
        notes: ["Its tempo is a guess.", "Copied from Beat.wav."],
        differences: [
          { setting: "track", asked: "Beat (Looper)", got: "1-Beat" },
          { setting: "gain_db", asked: -3, got: 0 },
        ],
        error: null,
      },
    ]);
  });

  test("[S7][H5] of a sound that plays another file of its folder names that file and its place", () => {
    const holds = { file: { asked: "/sounds/Kit/Beat -24 dB.wav", got: "/x/Other.wav" } };
    const { tracks } = outcomeOf([LOOP], [{ ...HELD, holds, plays: "Beat -24 dB.wav" }]);
    expect(tracks).toMatchObject([
      {
        file: "Beat -24 dB.wav",
        path: "Kit/Beat -24 dB.wav",
        differences: [{ setting: "file", asked: "Beat -24 dB.wav", got: "Other.wav" }],
      },
    ]);
  });

  test("[S7] of a sound names in one note what the host can't read", () => {
    const unchecked = ["track color", "pitch"];
    const { tracks } = outcomeOf([LOOP], [{ ...HELD, unchecked }]);
    expect(tracks).toMatchObject([
      {
        notes: ["Its tempo is a guess.", "Not checked: track color, pitch."],
        differences: [],
      },
    ]);
    const all = outcomeOf([LOOP], [{ ...HELD, unchecked: [] }]).tracks;
    expect(all).toMatchObject([{ notes: LOOP.notes }]);
  });

  test("[S7] of a sound uses the host's tolerances", () => {
    const holds = { gainDb: -3.05 };
    const sound = { ...HELD, holds, tolerances: { gainDb: 0.1 } };
    expect(outcomeOf([LOOP], [sound]).tracks).toMatchObject([{ differences: [] }]);
  });

  test("[S3] is partial when only some sounds are in the host", () => {
    expect(outcomeOf([LOOP, UNUSABLE], [HELD]).status).toBe("partial");
  });
});

describe("the report", () => {
  test("[S7] has only what there is to say of each sound", () => {
    const plain = { ...LOOP, notes: [] };
    expect({ ...soundResults(outcomeOf([plain, UNUSABLE], [HELD]).tracks) }).toEqual({
      1: { status: "imported", track: "Beat (Looper)", file: "Beat.wav", path: "Kit/Beat.wav" },
      2: { status: "skipped", error: "Can't read Kick.wav." },
    });
    const holds = { gainDb: 0 };
    expect({ ...soundResults(outcomeOf([plain], [{ ...HELD, holds }]).tracks) }).toEqual({
      1: {
        status: "imported",
        track: "Beat (Looper)",
        file: "Beat.wav",
        path: "Kit/Beat.wav",
        differences: [{ setting: "gain_db", asked: -3, got: 0 }],
      },
    });
  });

  test("[S7] takes any id for a sound", () => {
    const sound = { ...UNUSABLE, soundId: "__proto__" };
    expect(Object.keys(soundResults(outcomeOf([sound], []).tracks))).toEqual(["__proto__"]);
  });
});
