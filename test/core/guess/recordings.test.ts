import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { guessSounds } from "../../../core/guess/guess-sounds.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";
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

/** The first pair was written before the code, the others after it, each before its first run. */
const SONGS = ["songs.tsv", "second-songs.tsv", "third-songs.tsv"].flatMap(readFolders);
const OTHERS = ["others.tsv", "second-others.tsv", "third-others.tsv"].flatMap(readFolders);

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
