import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/text/json-object.ts";
import { FIELDS, type Field } from "../../../core/manifest/fields.ts";
import { parsed, sentManifest, sentSound, valueAt } from "./sample-manifest.ts";

interface Cases {
  /** Sent and kept, without a warning. */
  readonly good: readonly (readonly [sent: unknown, kept: unknown])[];
  /** Sent, kept, and the code of the one warning. */
  readonly bad: readonly (readonly [sent: unknown, kept: unknown, code: string])[];
}

const same = (...values: readonly unknown[]) => values.map((value) => [value, value] as const);
const ignored = (...values: readonly unknown[]) =>
  values.map((value) => [value, undefined, "VALUE_IGNORED"] as const);
const becomes = (kept: unknown, ...values: readonly unknown[]) =>
  values.map((value) => [value, kept, "VALUE_IGNORED"] as const);
const NO_TEXT = [5, true, null, [], {}];
const LONG = "x".repeat(41);
const CUT = "x".repeat(40);
const SPEED = {
  good: same(20, 93.75, 120, 999),
  bad: ignored(19.999, 999.001, 0, -120, 1e308, "120", null, [120], {}),
};
const LOGGED: Cases = {
  good: same("1.2.3 (45)", "android/15", CUT, "𝄞".repeat(40)),
  bad: [
    ...ignored(...NO_TEXT),
    [LONG, CUT, "TEXT_CUT"],
    ["1.2\u0000\u202e3", "1.2 3", "TEXT_CLEANED"],
  ],
};

/** Each field that has a remedy, by where it is; a sound's on a loop. */
const CASES: Readonly<Record<string, Cases>> = {
  "manifest.created_at": {
    good: same("2026-01-31T12:00:00Z", "2024-02-29T23:59:59.123456+05:30"),
    bad: ignored(
      "yesterday",
      "2026-01-31",
      "2026-02-29T12:00:00Z",
      "2026-01-31T12:00:00",
      "2026-13-01T25:00:00Z",
      "t".repeat(500_000),
      1_769_860_800,
      null,
    ),
  },
  "manifest.title": {
    good: [
      ...same("Night Drive", "夜 🚗 «Été»: 100%/2", "𝄞".repeat(60)),
      ["  Night   Drive ", "Night Drive"],
      ["Cafe\u0301", "Café"],
      ["", "Untitled"],
      ["   ", "Untitled"],
    ],
    bad: [
      ...becomes("Untitled", ...NO_TEXT),
      ["Night\nDrive", "Night Drive", "TEXT_CLEANED"],
      ["\u202e\u0007\ud800", "Untitled", "TEXT_CLEANED"],
      ["x".repeat(61), "x".repeat(60), "TEXT_CUT"],
      ["x\n".repeat(61), "x ".repeat(30).trim(), "TEXT_CUT"],
    ],
  },
  "manifest.source": {
    good: [[{}, { app: "App" }]],
    bad: becomes({ app: "App" }, "Beat Lab", null, 5, [], [{}]),
  },
  "manifest.tempo": { good: same({}, { bpm: 120 }), bad: ignored(120, "120", null, [120]) },
  "manifest.midi": {
    good: [],
    bad: [[], [1, 2], {}, "yes", null].map((midi) => [midi, undefined, "MIDI_IGNORED"] as const),
  },
  "source.app": {
    good: [...same("Beat Lab", "Größe #1!"), ["", "App"], ["  Beat  Lab", "Beat Lab"]],
    bad: [
      ...becomes("App", ...NO_TEXT),
      ["Beat™ Lab", "Beat Lab", "TEXT_CLEANED"],
      ["🎹", "App", "TEXT_CLEANED"],
      [LONG, CUT, "TEXT_CUT"],
    ],
  },
  "source.app_version": LOGGED,
  "source.platform": LOGGED,
  "tempo.bpm": SPEED,
  "tempo.time_signature": {
    good: same([4, 4], [3, 4], [7, 8], [1, 1e300]),
    bad: ignored(
      [4],
      [4, 4, 4],
      [],
      [0, 4],
      [4, 0],
      [4, -4],
      [4, 4.5],
      ["4", "4"],
      "4/4",
      4,
      null,
      {
        0: 4,
        1: 4,
      },
    ),
  },
  "sound.id": {
    good: same("kick", " ", "2", "__proto__", "\u0000", "ñ".repeat(100), "𝄞".repeat(100)),
    bad: ["", "x".repeat(101), "\ud800", "a\udc00b", 1, true, null, [], {}].map(
      (id) => [id, "1", "ID_REPLACED"] as const,
    ),
  },
  "sound.name": {
    good: [
      ...same("Kick", "Große Trommel (2) - 'A' & B+C #1!_.", "सारंगी", "太鼓", CUT, "𐐀".repeat(40)),
      ["  Kick \u0020 2 ", "Kick 2"],
      ["e\u0301".repeat(40), "é".repeat(40)],
      ["", "Sound 1"],
      [" ", "Sound 1"],
    ],
    bad: [
      ...becomes("Sound 1", ...NO_TEXT),
      ["Kick/Snare: 50%", "Kick Snare 50", "TEXT_CLEANED"],
      ["Kick\tDrum\u202e", "Kick Drum", "TEXT_CLEANED"],
      ["🥁", "Sound 1", "TEXT_CLEANED"],
      [LONG, CUT, "TEXT_CUT"],
      [`/${LONG}`, CUT, "TEXT_CUT"],
    ],
  },
  "sound.kind": {
    good: same("loop", "oneshot"),
    bad: becomes("oneshot", "Loop", "one-shot", "", 1, null, ["loop"], {}),
  },
  "sound.role": {
    good: same("drums", "bass", "melodic", "vocal", "texture", "fx"),
    bad: ignored("Drums", "keys", "", 0, null, ["drums"], {}),
  },
  "sound.bpm": SPEED,
  "sound.length_beats": {
    good: same(Number.MIN_VALUE, 0.5, 16, 4096),
    bad: ignored(0, -1, 4096.001, 1e308, "16", null, [], {}),
  },
  "sound.warp_mode": {
    good: [
      ...same("beats", "tones", "texture", "repitch", "complex", "complex_pro"),
      [0, "beats"],
      [1, "tones"],
      [2, "texture"],
      [3, "repitch"],
      [4, "complex"],
      [6, "complex_pro"],
    ],
    bad: ignored(5, 7, -1, 0.5, "6", "Beats", "complex pro", "toString", "", null, [], {}, true),
  },
  "sound.color": {
    good: [
      ["#FF8800", "#FF8800"],
      ["#ff8800", "#FF8800"],
      ["0aF9c3", "#0AF9C3"],
    ],
    bad: ignored("#F80", "##FF8800", "FF8800#", "#FF88000", "#GG0000", "red", "", 0xff_88_00, null),
  },
  "sound.gain_db": {
    good: same(-70, -3.5, 0, 24),
    bad: [
      [-70.001, -70, "VALUE_CLAMPED"],
      [24.001, 24, "VALUE_CLAMPED"],
      [-1e308, -70, "VALUE_CLAMPED"],
      [1e308, 24, "VALUE_CLAMPED"],
      ...ignored("-3", null, true, [], {}),
    ],
  },
};

/** A manifest with one value in its place, alone with what the format needs. */
function sentWith(group: string, name: string, value: unknown): JsonObject {
  if (group === "manifest") return sentManifest({ [name]: value });
  if (group === "sound") return sentManifest({}, [sentSound({ kind: "loop", [name]: value })]);
  return sentManifest({ [group]: { [name]: value } });
}

function keptOf(group: string, name: string, sent: JsonObject) {
  const { manifest, warnings } = parsed(sent);
  const path = group === "source" || group === "tempo" ? `${group}.${name}` : name;
  const owner = group === "sound" ? manifest.items[0] : manifest;
  return { kept: valueAt(owner, path), warnings, path };
}

for (const [place, { good, bad }] of Object.entries(CASES)) {
  const [group = "", name = ""] = place.split(".");
  describe(`${group} ${name}`, () => {
    test.each(good)("[M5] keeps %j as %j without a warning", (sent, kept) => {
      const read = keptOf(group, name, sentWith(group, name, sent));
      expect(read).toMatchObject({ warnings: [] });
      expect(read.kept).toEqual(kept);
    });

    test.each(bad)("[M4] repairs %j to %j with one warning, %s", (sent, kept, code) => {
      const read = keptOf(group, name, sentWith(group, name, sent));
      expect(read.kept).toEqual(kept);
      expect(read.warnings).toEqual([
        {
          code,
          message: expect.stringMatching(new RegExp(`^${read.path} .{5,190}\\.$`)),
          field: read.path,
          ...(group === "sound" && { sound: "1" }),
        },
      ]);
    });
  });
}

test("[M4] every repairable field has cases", () => {
  const repaired = Object.entries(FIELDS).flatMap(([group, fields]) =>
    Object.entries<Field>(fields)
      .filter(([, { remedy }]) => remedy.kind !== "refuse")
      .map(([name]) => `${group}.${name}`),
  );
  const tested = [...Object.keys(CASES), "manifest.package_id"];
  expect(tested.sort()).toEqual(repaired.sort());
});

test("[M4] a well-formed package_id is replaced silently, a malformed one with a warning", () => {
  for (const sent of ["a", "my.package_1-2", "x".repeat(100)]) {
    const { manifest, warnings } = parsed(sentManifest({ package_id: sent }));
    expect(manifest.package_id).toMatch(/^pkg_/);
    expect(warnings).toEqual([]);
  }
  for (const sent of ["", "a b", "ü", "x".repeat(101), "../x", 5, null, {}]) {
    const { manifest, warnings } = parsed(sentManifest({ package_id: sent }));
    expect(manifest.package_id).toMatch(/^pkg_/);
    expect(warnings).toEqual([
      expect.objectContaining({ code: "VALUE_IGNORED", field: "package_id" }),
    ]);
  }
});

test("[M4] ignores bpm, length_beats and warp_mode on a one-shot with a warning each, but keeps role", () => {
  const loopFields = { bpm: 120, length_beats: 4, warp_mode: 6, role: "drums" };
  for (const kind of ["oneshot", undefined]) {
    const { manifest, warnings } = parsed(sentManifest({}, [sentSound({ ...loopFields, kind })]));
    expect(manifest.items[0]).toEqual(
      sentSound({ id: "1", name: "Sound 1", kind: "oneshot", role: "drums" }),
    );
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ["LOOP_ONLY", "bpm"],
      ["LOOP_ONLY", "length_beats"],
      ["LOOP_ONLY", "warp_mode"],
    ]);
  }
});

test("[M4] an invalid loop-only value on a one-shot gets one warning, not two", () => {
  const { warnings } = parsed(sentManifest({}, [sentSound({ bpm: 5000, warp_mode: "x" })]));
  expect(warnings.map(({ code }) => code)).toEqual(["LOOP_ONLY", "LOOP_ONLY"]);
});

test("[M4] an unknown kind becomes a one-shot", () => {
  const { manifest, warnings } = parsed(sentManifest({}, [sentSound({ kind: "lop", bpm: 120 })]));
  expect(manifest.items[0]).not.toHaveProperty("bpm");
  expect(warnings.map(({ code, field }) => [code, field])).toEqual([
    ["VALUE_IGNORED", "kind"],
    ["LOOP_ONLY", "bpm"],
  ]);
});

test("[M4] ignores unknown properties in every object, with a warning each", () => {
  const { manifest, warnings } = parsed({
    ...sentManifest({ zoom: 1, source: { zoom: 2 }, tempo: { zoom: 3 } }, [sentSound({ zoom: 4 })]),
    Title: "x",
  });
  expect(JSON.stringify(manifest)).not.toMatch(/zoom|Title/);
  const code = "PROPERTY_UNKNOWN";
  expect(warnings).toEqual([
    { code, field: "zoom", message: 'The format has no property "zoom"; it was ignored.' },
    { code, field: "Title", message: 'The format has no property "Title"; it was ignored.' },
    { code, field: "source.zoom", message: expect.stringContaining('"source.zoom"') },
    { code, field: "tempo.zoom", message: expect.stringContaining('"tempo.zoom"') },
    { code, field: "zoom", sound: "1", message: expect.stringContaining('"zoom"') },
  ]);
});
