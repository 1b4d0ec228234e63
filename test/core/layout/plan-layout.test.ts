import { describe, expect, test } from "vitest";
import { colorLayout } from "../../../core/layout/palette.ts";
import { formatLayout } from "../../../core/layout/format-layout.ts";
import { layoutJson } from "../../../core/layout/layout-json.ts";
import { needsColorTurn, planLayout } from "../../../core/layout/plan-layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import { sampleHeader, samplePackage, sampleSound } from "./sample-package.ts";
import { planWarpMode, WARP_MODE_NAMES } from "../../../core/layout/warp-mode.ts";

describe("names", () => {
  test("[T1] of scene and tracks include the app; the clip's doesn't", () => {
    const layout = planLayout(samplePackage([sampleSound({ name: "Kick" })]));
    expect(layout.scene.name).toBe("Night Drive (Looper)");
    expect(layout.tracks).toMatchObject([{ trackName: "Kick (Looper)", clipName: "Kick" }]);
  });

  test("[T1] use title and app unchanged", () => {
    const read = samplePackage([sampleSound({ name: "低音 (1)" })], {
      title: "Untitled",
      source: { app: "App" },
    });
    const layout = planLayout(read);
    expect(layout.scene.name).toBe("Untitled (App)");
    expect(layout.tracks).toMatchObject([{ trackName: "低音 (1) (App)", clipName: "低音 (1)" }]);
  });
});

test("[T1] takes the session's tempo and time signature from the package", () => {
  const sound = sampleSound();
  const spoken = planLayout(samplePackage([sound], { tempo: { bpm: 98, time_signature: [3, 4] } }));
  expect(spoken.session).toEqual({ tempoBpm: 98, timeSignature: [3, 4] });
  const silent = planLayout(samplePackage([sound]));
  expect(silent.session).toEqual({ tempoBpm: null, timeSignature: null });
});

describe("settings", () => {
  test("[T5] of a one-shot: warp and loop off, regardless of the package", () => {
    const sound = sampleSound({ role: "drums", bpm: 90, length_beats: 4, warp_mode: "beats" });
    const layout = planLayout(samplePackage([sound], { tempo: { bpm: 120 } }));
    expect(layout.tracks).toEqual([
      {
        soundId: "1",
        trackName: "Kick (Looper)",
        clipName: "Kick",
        kind: "oneshot",
        warping: false,
        warpMode: null,
        looping: false,
        loopEndBeats: null,
        tempoBpm: null,
        colorIndex: 10,
        gainDb: 0,
        notes: [],
      },
    ]);
  });

  test("[T2][T5] of a loop: warped to its tempo and looped over its length", () => {
    const sound = sampleSound({ kind: "loop", role: "bass", gain_db: -6 });
    const layout = planLayout(samplePackage([sound], { tempo: { bpm: 120 } }));
    expect(layout.tracks).toMatchObject([
      {
        warping: true,
        warpMode: "tones",
        looping: true,
        loopEndBeats: 4,
        tempoBpm: 120,
        gainDb: -6,
        notes: [],
      },
    ]);
  });

  test("[T3] of a loop without a derivable tempo: left to the host, with a note", () => {
    const layout = planLayout(samplePackage([sampleSound({ kind: "loop", length_beats: 64 })]));
    expect(layout.tracks).toMatchObject([
      {
        warping: true,
        looping: true,
        loopEndBeats: 64,
        tempoBpm: null,
        notes: [expect.any(String)],
      },
    ]);
  });
});

describe("color", () => {
  const plain = sampleSound({ id: "plain" });
  const red = sampleSound({ id: "red", color: "#FF3030" });

  test("[T4] is the nearest palette entry for a sound with a color, else the package's turn", () => {
    const layout = planLayout({ ...samplePackage([plain, red, plain]), colorTurn: 3 });
    expect(layout.tracks).toMatchObject([{ colorIndex: 1 }, { colorIndex: 14 }, { colorIndex: 1 }]);
  });

  test("[T4] is automatic for a sound without a color where nothing counts turns", () => {
    const layout = planLayout({ ...samplePackage([plain, red]), colorTurn: null });
    expect(layout.tracks).toMatchObject([{ colorIndex: null }, { colorIndex: 14 }]);
    expect(layoutJson(layout).tracks).toMatchObject([{ color_index: null }, { color_index: 14 }]);
    expect(formatLayout(layout)).toMatch(/ automatic .*\n.* #FF3636 \(14\) /);
  });

  test("[T4] a turn given later makes the layout of that turn", () => {
    const read = samplePackage([plain, red]);
    const layout = planLayout({ ...read, colorTurn: null });
    expect(colorLayout(layout, 3)).toEqual(planLayout({ ...read, colorTurn: 3 }));
    const lost = planLayout({ ...read, sounds: new Map(), colorTurn: null });
    expect(colorLayout(lost, 3)).toEqual(lost);
  });

  test("[T4] takes a turn only if a sound has no color", () => {
    expect(needsColorTurn({ items: [red, plain] })).toBe(true);
    expect(needsColorTurn({ items: [red, red] })).toBe(false);
  });
});

describe("a sound that can't be used", () => {
  const items = [
    sampleSound({ id: "__proto__", name: "Snare" }),
    sampleSound({ id: "constructor", name: "Loop", file: "loop.wav", kind: "loop" }),
    sampleSound({ id: "3", name: "Hat" }),
  ];

  test("keeps its place with the reason, and the rest is planned", () => {
    const sounds = new Map<string, WavHeader | { error: string }>([
      ["__proto__", { error: "snare.wav: the file is incomplete. Export it again." }],
      ["3", sampleHeader(1)],
    ]);
    const layout = planLayout({ ...samplePackage(items), sounds });
    expect(layout.tracks).toMatchObject([
      { soundId: "__proto__", error: "snare.wav: the file is incomplete. Export it again." },
      { soundId: "constructor", kind: "loop", error: "loop.wav is not there." },
      { soundId: "3", trackName: "Hat (Looper)", gainDb: 0 },
    ]);
  });
});

test("a layout includes the package's id and warnings", () => {
  const warnings = [{ code: "NAME_CUT", message: "A name was cut.", sound: "1" }];
  const layout = planLayout({ ...samplePackage([sampleSound()]), warnings });
  expect(layout).toMatchObject({ packageId: "pkg_sample", warnings });
});

test("usable tracks are those with a usable file, in the package's order", () => {
  const items = ["c", "lost", "a", "gone", "b"].map((id) => sampleSound({ id, name: id }));
  const sounds = new Map(["a", "b", "c"].map((id) => [id, sampleHeader(96_000)]));
  const layout = planLayout({ ...samplePackage(items), sounds });
  expect(usableTracks(layout).map(({ soundId }) => soundId)).toEqual(["c", "a", "b"]);
  expect(usableTracks(layoutJson(layout)).map(({ id }) => id)).toEqual(["c", "a", "b"]);
});

test("a layout has no usable tracks if every file is missing", () => {
  const layout = planLayout({ ...samplePackage([sampleSound()]), sounds: new Map() });
  expect(usableTracks(layout)).toEqual([]);
});

test.each([
  ["drums", "beats"],
  ["bass", "tones"],
  ["melodic", "complex_pro"],
  ["vocal", "complex_pro"],
  ["texture", "texture"],
  ["fx", "complex"],
] as const)("[T5] a loop of %s is warped in %s", (role, mode) => {
  expect(planWarpMode({ kind: "loop", role })).toBe(mode);
});

test("[T5] a loop without a role uses Complex", () => {
  expect(planWarpMode({ kind: "loop" })).toBe("complex");
});

test("[T5] a loop's own warp mode overrides its role's", () => {
  expect(planWarpMode({ kind: "loop", role: "drums", warp_mode: "repitch" })).toBe("repitch");
});

test("[T5] a one-shot has no warp mode, regardless of its role", () => {
  expect(planWarpMode({ kind: "oneshot", role: "drums", warp_mode: "beats" })).toBeNull();
});

test("[T5] warp modes have the names of Live's menu", () => {
  expect(WARP_MODE_NAMES).toEqual({
    beats: "Beats",
    tones: "Tones",
    texture: "Texture",
    repitch: "Re-Pitch",
    complex: "Complex",
    complex_pro: "Complex Pro",
  });
});
