import { FIELDS } from "../../../core/manifest/fields.ts";
import { WarningList, WARNINGS } from "../../../core/manifest/warnings.ts";
import { fillTables } from "../../../scripts/write-field-tables.ts";
import { readFileSync } from "node:fs";
import {
  parsed,
  sentManifest,
  sentSound,
  sentSounds,
  SHA256,
  refusedBy,
} from "./sample-manifest.ts";
import { expect, test, describe } from "vitest";
import { errorAnswer } from "../../../core/protocol/refusal.ts";

const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 0]));

test("[M5] keeps a valid manifest with every field unchanged and without warnings", () => {
  const loop = {
    file: "drums.wav",
    bytes: 341_484,
    sha256: SHA256,
    id: "drums-1",
    name: "Drums",
    kind: "loop",
    role: "drums",
    bpm: 120.5,
    length_beats: 4,
    warp_mode: "beats",
    color: "#FF8800",
    gain_db: -3,
  };
  const { manifest, warnings } = parsed(
    sentManifest(
      {
        package_id: "mine",
        created_at: "2026-01-31T12:00:00Z",
        title: "Night Drive",
        source: { app: "Beat Lab", app_version: "2.1", platform: "web" },
        tempo: { bpm: 124, time_signature: [3, 4] },
      },
      [loop, sentSound({ kind: "oneshot", role: "fx" })],
    ),
  );
  expect(warnings).toEqual([]);
  expect(manifest).toEqual({
    schema: "app2host/1",
    package_id: "pkg_0123456789abcdefghijkl",
    created_at: "2026-01-31T12:00:00Z",
    title: "Night Drive",
    source: { app: "Beat Lab", app_version: "2.1", platform: "web" },
    tempo: { bpm: 124, time_signature: [3, 4] },
    items: [loop, sentSound({ id: "2", name: "Sound 2", kind: "oneshot", role: "fx" })],
  });
});

test("[M5] fills in defaults without a warning", () => {
  const { manifest, warnings } = parsed(sentManifest());
  expect(warnings).toEqual([]);
  expect(manifest).toEqual({
    schema: "app2host/1",
    package_id: "pkg_0123456789abcdefghijkl",
    title: "Untitled",
    source: { app: "App" },
    items: [sentSound({ id: "1", name: "Sound 1", kind: "oneshot" })],
  });
});

test("[M5] lists at most 100 warnings; the last counts the rest", () => {
  expect(parsed(sentManifest(unknown(100))).warnings).toHaveLength(100);
  expect(parsed(sentManifest(unknown(100))).warnings.at(-1)).toMatchObject({ field: "x99" });

  const { warnings } = parsed(sentManifest({ title: 5, ...unknown(99) }, [sentSound(unknown(2))]));
  expect(warnings).toHaveLength(100);
  expect(warnings[0]).toMatchObject({ code: "VALUE_IGNORED", field: "title" });
  expect(warnings[98]).toMatchObject({ field: "x97" });
  expect(warnings[99]).toEqual({ code: "MORE_WARNINGS", message: "There are 3 more warnings." });
});

test("[M5] a warning names its sound by id, after any replacement", () => {
  const { warnings } = parsed(
    sentManifest({}, sentSounds({ id: "a", gain_db: 30 }, { id: "a", gain_db: 40 })),
  );
  expect(warnings.map(({ code, sound }) => [code, sound])).toEqual([
    ["VALUE_CLAMPED", "a"],
    ["ID_TAKEN", "a-2"],
    ["VALUE_CLAMPED", "a-2"],
  ]);
});

test("[M5] a message has the problem and the repair", () => {
  const { warnings } = parsed(
    sentManifest({ tempo: { bpm: 5000 }, created_at: [1], midi: [] }, [
      sentSound({ role: "drumz", gain_db: 40, color: null, name: "x".repeat(50), bpm: {} }),
    ]),
  );
  expect(warnings.map(({ message }) => message)).toEqual([
    "created_at must be a date and time with its zone, such as 2026-01-31T12:00:00Z; a list was ignored.",
    "midi is reserved for future use; it was ignored.",
    "tempo.bpm must be a number from 20 to 999; 5000 was ignored.",
    "name is too long; it was cut to 40 characters.",
    'role must be drums, bass, melodic, vocal, texture or fx; "drumz" was ignored.',
    "bpm only applies to a loop; on this one-shot it was ignored.",
    "color must be #RRGGBB in hex digits, with or without #; null was ignored.",
    "gain_db must be a number from -70 to 24; 40 was changed to 24.",
  ]);
});

test("[M5] a message is printable and at most 200 characters", () => {
  const hostile = "\u202e\u0000{field}\n\ud800".repeat(1000);
  const id = `${"\u202e\n".repeat(40)}twice`;
  const { warnings } = parsed(
    sentManifest(
      { [hostile]: 1, created_at: hostile, package_id: hostile, source: { [hostile]: 1 } },
      sentSounds(
        { id: hostile, role: hostile, kind: hostile, color: hostile, [hostile]: 1 },
        { id },
        { id, kind: "loop", warp_mode: hostile, bpm: hostile },
      ),
    ),
  );
  expect(warnings.length).toBeGreaterThan(10);
  for (const { message, field = "" } of warnings) {
    expect(message.length).toBeLessThanOrEqual(200);
    expect(field.length).toBeLessThanOrEqual(40);
    expect(message + field).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
    expect(message).toMatch(/\.$/);
  }
});

test("[M5] codes are UPPER_SNAKE, and a returned list doesn't change afterwards", () => {
  for (const code of Object.keys(WARNINGS)) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
  const warnings = new WarningList();
  const before = warnings.list();
  warnings.add("MIDI_IGNORED", { field: "midi" }, {});
  expect([before, warnings.list().length]).toEqual([[], 1]);
});

const PAGE = new URL("../../../docs/use/manifest.md", import.meta.url);

test("[M4] docs/use/manifest.md has every table that `npm run generate` writes", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(fillTables(page)).toBe(page);
  for (const name of [...Object.keys(FIELDS), "warnings"]) {
    expect(page).toContain(`<!-- table: ${name} -->\n\n| `);
  }
  for (const code of Object.keys(WARNINGS)) expect(page).toContain(`\`${code}\``);
});

const good = sentSound({}, "hat.wav");

const problemsOf = (value: unknown) => errorAnswer(refusedBy(value)).problems ?? [];
const ofSounds = (...items: readonly unknown[]) => problemsOf(sentManifest({}, items));

describe("the problems of a refused manifest", () => {
  test("[E3][M3] are all there, in reading order, and the first one is the answer's own", () => {
    const value = sentManifest({}, [
      { ...good, id: "hat", name: "Hat", bytes: 0, sha256: "" },
      good,
      null,
      { file: "../a.wav", bytes: 5, sha256: SHA256 },
    ]);
    const { problems = [], ...answer } = errorAnswer(refusedBy(value));
    expect(problems[0]).toEqual(answer);
    expect(answer).toEqual({
      error: 'Sound 1 "Hat": bytes must be 1 to 209715200.',
      code: "BYTES_WRONG",
      sound: "hat",
      file: "hat.wav",
      field: "bytes",
      position: 1,
    });
    expect(problems.slice(1)).toMatchObject([
      { code: "SHA256_WRONG", sound: "hat", file: "hat.wav", field: "sha256", position: 1 },
      { code: "FILE_TWICE", sound: "2", file: "hat.wav", field: "file", position: 2 },
      { code: "ITEM_NOT_OBJECT", sound: "3", position: 3 },
      { code: "FILE_NAME_WRONG", sound: "4", field: "file", position: 4 },
    ]);
  });

  test("[E3][M3] name each sound that doesn't fit, and count the bytes of the others", () => {
    const sizes = [200_000_000, 10_000_000, 9_000_000, 715_201];
    const sounds = sizes.map((bytes, index) => sentSound({ bytes }, `${index}.wav`));
    expect(ofSounds(...sounds).map(({ code, position }) => [code, position])).toEqual([
      ["TOTAL_TOO_LARGE", 2],
      ["TOTAL_TOO_LARGE", 4],
    ]);
  });

  test("[E3][M7] name a sound by the id that it would get", () => {
    const bad = { ...good, bytes: 0 };
    const ids = ofSounds({ ...bad, id: "a" }, { ...bad, id: "a", file: "b.wav" }, bad);
    expect([...new Set(ids.map(({ sound }) => sound))]).toEqual(["a", "a-2", "3"]);
  });

  test("[E3][M1][M2] a manifest of another shape has one, about the field", () => {
    const aboutOf = (value: unknown) => errorAnswer(refusedBy(value)).field;
    expect(aboutOf(sentManifest({ schema: "app2host/2" }, [null]))).toBe("schema");
    expect(aboutOf(sentManifest({ schema: 1 }, [null]))).toBe("schema");
    expect(aboutOf(sentManifest({ items: [] }))).toBe("items");
    expect(aboutOf(sentManifest({ items: Array.from({ length: 33 }) }))).toBe("items");
    expect(aboutOf([])).toBeUndefined();
  });

  test("[E3] are at most 64, of which the last says how many more there are", () => {
    const sounds = Array.from({ length: 32 }, () => ({}));
    const { problems = [] } = errorAnswer(refusedBy(sentManifest({}, sounds)));
    expect(problems).toHaveLength(64);
    expect(problems.at(-1)).toEqual({
      error: "There are 33 more problems.",
      code: "MORE_PROBLEMS",
    });
    expect(ofSounds(...sounds.slice(0, 21))).toHaveLength(63);
  });
});
