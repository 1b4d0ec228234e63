import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guessTitle } from "../../../core/guess/guess-package-title.ts";
import { guessSounds } from "../../../core/guess/guess-sounds.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
import { cleanName, cleanTitle } from "../../../core/text/clean-text.ts";
import { CODE_POINT } from "../../code-point.ts";
import { runs } from "../../runner/random-seed.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";

/** A recording as a table expects it. */
interface Expected {
  readonly title: string;
  readonly bpm: number | null;
  readonly files: readonly string[];
  /** Titles of the first files; empty if the table doesn't say. */
  readonly titles: readonly string[];
}

interface Folder {
  readonly name: string;
  readonly inputs: readonly GuessInput[];
  readonly expected: readonly Expected[];
}

/** The first two were written before the code; the others after it, before their first run. */
const SONGS = [...readFolders("songs.tsv"), ...readFolders("second-songs.tsv")];
const OTHERS = [...readFolders("others.tsv"), ...readFolders("second-others.tsv")];

/** Gives each recording's title, tempo and files, in a fixed order. */
function found({ inputs }: Folder): readonly object[] {
  const { recordings } = guessSounds(inputs);
  return inOrder(
    recordings.map(({ title, bpm, members }) => ({
      title,
      bpm,
      files: members.map((member) => inputs[member]?.fileName ?? "").toSorted(),
    })),
  );
}

function wanted({ expected }: Folder): readonly object[] {
  return inOrder(
    expected.map(({ title, bpm, files }) => ({ title, bpm, files: files.toSorted() })),
  );
}

function inOrder<T extends { readonly title: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

function isRight(folder: Folder): boolean {
  return JSON.stringify(found(folder)) === JSON.stringify(wanted(folder));
}

test("[Y8] the tables of recordings are large enough", () => {
  expect(SONGS.length).toBeGreaterThanOrEqual(40);
  expect(OTHERS.length).toBeGreaterThanOrEqual(60);
});

describe("[Y8] a table of folders", () => {
  test("has every song found, with its title and tempo", () => {
    const wrong = SONGS.filter((folder) => !isRight(folder)).map((folder) => ({
      folder: folder.name,
      found: found(folder),
    }));
    expect(wrong).toEqual([]);
  });

  test("has nothing else taken for one recording", () => {
    const wrong = OTHERS.filter((folder) => found(folder).length > 0);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("has one kind, tempo and length in each recording, which covers the shortest file", () => {
    for (const { inputs } of SONGS) {
      const { sounds, recordings } = guessSounds(inputs);
      for (const { members, bpm, lengthBeats, seconds } of recordings) {
        const ofMembers = members.map((member) => {
          const { kind, bpm: its, lengthBeats: beats, likely } = sounds[member] ?? {};
          return { kind, bpm: its, lengthBeats: beats, likely };
        });
        const kind = bpm === null ? "oneshot" : "loop";
        expect(ofMembers).toEqual(members.map(() => ({ kind, bpm, lengthBeats, likely: null })));
        const all = members.map((member) => secondsOf(inputs[member]));
        expect(seconds).toBe(Math.min(...all));
        if (bpm === null) continue;
        const loopSeconds = ((lengthBeats ?? 0) * 60) / bpm;
        expect(Math.abs(loopSeconds - seconds)).toBeLessThanOrEqual(0.01);
      }
    }
  });

  test("[Y9] has names without the common title", () => {
    for (const { inputs, expected } of SONGS) {
      const { sounds } = guessSounds(inputs);
      for (const { files, titles } of expected) {
        const own = files.map((file) => {
          const index = inputs.findIndex(({ fileName }) => fileName === file);
          return sounds[index]?.title;
        });
        expect(own.slice(0, titles.length)).toEqual(titles);
      }
    }
  });
});

/** Stems of a song, with what each file says. */
function stems(seconds: number, ...more: readonly Partial<GuessInput>[]): readonly GuessInput[] {
  const frames = Math.round(seconds * 48_000);
  return ["Drums", "Bass", "Keys", "Vox"].map((stem, index) => ({
    fileName: `Undertow ${stem}.wav`,
    folderName: "Songs",
    frames,
    sampleRateHz: 48_000,
    hints: {},
    ...more[index],
  }));
}

function tempoOf(inputs: readonly GuessInput[]): number | null | undefined {
  return guessSounds(inputs).recordings[0]?.bpm;
}

describe("[Y8] the tempo of a recording", () => {
  const OTHER_SECONDS = 200.0137;
  const whole = (seconds: number): LoopHints => ({
    sampler: { startFrame: 0, endFrame: Math.round(seconds * 48_000) - 1 },
  });

  test("is one that a name, a folder, a tag or an acid chunk says", () => {
    expect(tempoOf(stems(OTHER_SECONDS))).toBeNull();
    expect(tempoOf(stems(OTHER_SECONDS, {}, { fileName: "Undertow 97 BPM Bass.wav" }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { tempoBpm: 97.5 } }))).toBe(97.5);
    const folderName = "Undertow 97bpm";
    expect(tempoOf(stems(OTHER_SECONDS).map((input) => ({ ...input, folderName })))).toBe(97);
    const acid = { isOneShot: false, beats: 324, tempoBpm: 97 };
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { acid } }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: { acid: { ...acid, beats: 4 } } }))).toBeNull();
  });

  test("is said by a smpl chunk only beside whole bars of a whole tempo", () => {
    const seconds = (292 * 60) / 97;
    expect(tempoOf(stems(seconds))).toBeNull();
    expect(tempoOf(stems(seconds, { hints: whole(seconds) }))).toBe(97);
    expect(tempoOf(stems(OTHER_SECONDS, { hints: whole(OTHER_SECONDS) }))).toBeNull();
    expect(tempoOf(stems(180, { hints: whole(180) }))).toBeNull();
  });

  test("is a bare number only beside a key or with whole bars", () => {
    const named = (name: string, seconds: number) =>
      tempoOf(stems(seconds).map((input) => ({ ...input, fileName: `${name} ${input.fileName}` })));
    expect(named("Summer 69", OTHER_SECONDS)).toBeNull();
    expect(named("Blink 182", 180)).toBeNull();
    expect(named("Area 97", (292 * 60) / 97)).toBe(97);
    expect(named("97 Am", OTHER_SECONDS)).toBe(97);
    expect(named("Am_97", OTHER_SECONDS)).toBe(97);
  });

  test("is that of more than half of those that say one, else a person's", () => {
    const two = [{ fileName: "Undertow 97bpm Drums.wav" }, { fileName: "Undertow 98bpm Bass.wav" }];
    expect(tempoOf(stems(OTHER_SECONDS, ...two))).toBeNull();
    const third = { fileName: "Undertow 97bpm Keys.wav" };
    expect(tempoOf(stems(OTHER_SECONDS, ...two, third))).toBe(97);
    const asked = stems(OTHER_SECONDS, ...two).map((input) => ({ ...input, packageBpm: 100 }));
    expect(tempoOf(asked)).toBe(100);
    expect(tempoOf(stems(OTHER_SECONDS, { ...third, packageBpm: 100 }))).toBe(97);
  });

  test("is none for more beats than a loop may have", () => {
    const name = { fileName: "Undertow 128bpm Drums.wav" };
    expect(tempoOf(stems(1919, name))).toBe(128);
    expect(tempoOf(stems(2400, name))).toBeNull();
  });

  test("has the beats of the shortest file, whole within 10 ms", () => {
    const name = { fileName: "Undertow 60bpm Drums.wav", frames: 9_600_000 + 4096 };
    const beatsOf = (seconds: number) =>
      guessSounds(stems(seconds, name)).recordings[0]?.lengthBeats;
    expect(beatsOf(200)).toBe(200);
    expect(beatsOf(200.009)).toBe(200);
    expect(beatsOf(200.02)).toBe(200.02);
  });
});

test("[Y8] a file that differs by more than one buffer isn't of the recording", () => {
  const frames = 9_600_000;
  const membersOf = (more: number) =>
    guessSounds(stems(200, { frames: frames + more })).recordings[0]?.members;
  expect([membersOf(4096), membersOf(4097)]).toEqual([
    [0, 1, 2, 3],
    [1, 2, 3],
  ]);
  expect(guessSounds(stems(19.99)).recordings).toEqual([]);
  expect(guessSounds(stems(20)).recordings.length).toBe(1);
});

test("[Y8] the reason names the recording and its tempo", () => {
  const [asRecorded] = guessSounds(stems(200)).sounds;
  expect(asRecorded?.because).toBe("One of 4 stems of Undertow: as recorded.");
  const [, inTime] = guessSounds(stems(200, { hints: { tempoBpm: 97 } })).sounds;
  expect(inTime?.because).toBe("One of 4 stems of Undertow: in time at 97 BPM.");
});

test("[Y9] the package is named after the recording of most of its sounds", () => {
  const inputs = stems(200);
  const { recordings } = guessSounds(inputs);
  const fileNames = inputs.map(({ fileName }) => fileName);
  const folderName = "Mixes";
  expect(guessTitle({ folderName, fileNames, recordings })).toBe("Undertow");
  const others = ["A.wav", "B.wav", "C.wav", "D.wav"];
  expect(guessTitle({ folderName, fileNames: [...fileNames, ...others], recordings })).toBe(
    "Mixes",
  );
});

/** Pieces of names of stems, and anything else. */
const PIECE = fc.oneof(
  fc.constantFrom("Drums", "Vox", "no", "Bass", "Kick", "Tr", "Master", "Neon", "Rain", "bip"),
  fc.constantFrom(" ", "_", "-", " - ", "(", ")", "01", "97", "97bpm", "Am", "/", "ドラム"),
  fc.string({ unit: CODE_POINT, maxLength: 4 }),
);
const NAME = fc.array(PIECE, { maxLength: 7 }).map((pieces) => pieces.join(""));

test("[Y8][Y9] any list has a valid guess for each sound, and recordings share nothing", () => {
  const input = fc.record({
    fileName: NAME,
    folderName: fc.option(NAME, { nil: undefined }),
    frames: fc.integer({ min: 900_000, max: 904_096 }),
    sampleRateHz: fc.constantFrom(44_100, 0),
    hints: fc.constant({}),
    packageBpm: fc.option(fc.integer({ min: 20, max: 999 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(input, { maxLength: 9 }), (inputs) => {
      const { sounds, recordings } = guessSounds(inputs);
      expect(sounds.length).toBe(inputs.length);
      const members = recordings.flatMap((recording) => recording.members);
      expect(new Set(members).size).toBe(members.length);
      for (const { title } of sounds)
        expect([title, title === ""]).toEqual([cleanName(title), false]);
      for (const recording of recordings) {
        expect(recording.members.length).toBeGreaterThan(1);
        expect(recording.title).toBe(cleanTitle(recording.title));
        expect(recording.title).not.toBe("");
      }
    }),
    runs(500),
  );
});

function secondsOf(input: GuessInput | undefined): number {
  return (input?.frames ?? 0) / (input?.sampleRateHz ?? 1);
}

/** Reads a table: the rows of one folder are a folder whose sounds are in the order of their names. */
function readFolders(table: string): readonly Folder[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, "recordings", table), "utf8")
    .trimEnd()
    .split("\n");
  const rows = lines.map(readRow);
  return [...new Set(rows.map(({ folder }) => folder))].map((name) => {
    const own = rows.filter(({ folder }) => folder === name);
    return {
      name,
      inputs: own
        .flatMap(({ inputs }) => inputs)
        .toSorted((one, other) =>
          one.fileName.localeCompare(other.fileName, "en", { numeric: true }),
        ),
      expected: own.flatMap(({ expected }) => (expected === null ? [] : [expected])),
    };
  });
}

function readRow(line: string) {
  const [folder = "", title = "", bpm = "", length = "", files = "", titles = ""] =
    line.split("\t");
  const [frames, rate] = length.split("@").map(Number);
  const inputs = files.split("|").map((text): GuessInput => {
    const [name = "", ...marks] = text.split(/[{}]+/).filter((part) => part !== "");
    const longer = marks.find((mark) => mark.startsWith("+")) ?? "0";
    return {
      fileName: `${name}.wav`,
      folderName: folder,
      frames: (frames ?? 0) + Number(longer),
      sampleRateHz: rate ?? 0,
      hints: Object.assign({}, ...marks.map(readHint)),
      packageBpm: numberOf(/pkg:(.+)/.exec(marks.join(" "))?.[1]),
    };
  });
  const expected: Expected = {
    title,
    bpm: numberOf(bpm) ?? null,
    files: inputs.map(({ fileName }) => fileName),
    titles: titles === "" ? [] : titles.split("|"),
  };
  return { folder, inputs, expected: title === "-" ? null : expected };
}

/** Parses `id3:140` and `acid:300@90`. */
function readHint(mark: string): LoopHints {
  const [chunk, first, second] = mark.split(/[:@]/);
  if (chunk === "id3") return { tempoBpm: Number(first) };
  if (chunk !== "acid") return {};
  return { acid: { isOneShot: false, beats: Number(first), tempoBpm: Number(second) } };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}
