import type { Command } from "commander";
import { ClientError } from "../../client/wire/client-error.ts";
import { formatRecording } from "../../core/guess/guess-sounds.ts";
import type { Recording } from "../../core/guess/recording.ts";
import type { SoundGuess } from "../../core/guess/sound-guess.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { groupBy } from "../../core/guess/group-by.ts";
import { uniqueNames } from "../../core/guess/guess-package-title.ts";
import { formatNumber } from "../../core/text/format-number.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { formatTable, type TableColumn } from "../../core/text/text-table.ts";
import { newCommand, withJson } from "../command.ts";
import { guessAndListen } from "../guess-and-listen.ts";
import { outputFor } from "../output.ts";
import {
  findSounds,
  isUnusableWav,
  openSound,
  readForGuess,
  type SoundToGuess,
} from "../sound-files.ts";

/** `soundferry guess`: what sounds are, from their names and lengths (rule K2). */
export function guessCommand(): Command {
  const command = newCommand(
    "guess",
    "Prints what WAV files probably are: title, loop or one-shot, role, tempo, length in beats and key, " +
      "from name, folder, length and the file's own notes. It listens to what these leave open. send does the same.",
  ).argument("<path...>", "WAV files, or folders of them");
  return withJson(command).action(runGuess);
}

/** One file: its guess, or why it has none. */
type Guessed =
  | {
      readonly file: string;
      readonly guess: SoundGuess;
      /** The recording that it is a file of. */
      readonly recording: Recording | undefined;
    }
  | { readonly file: string; readonly error: string };

async function runGuess(
  paths: readonly string[],
  flags: { readonly json?: boolean },
): Promise<void> {
  const output = outputFor(flags);
  const all = await guessFiles(await findSounds(paths));
  const names = uniqueNames(all.map((one) => ("guess" in one ? one.guess.title : "")));
  const rows = all.map((one, index) => guessJson(one, names[index] ?? ""));
  output.give(rows, formatGuesses(all));
  if (all.some((one) => "error" in one)) process.exitCode = 1;
}

async function guessFiles(files: readonly string[]): Promise<readonly Guessed[]> {
  const all: Read[] = [];
  for (const file of files) all.push(await readOrError(file));
  const usable = all.flatMap((one) => ("input" in one ? [one] : []));
  const { sounds, recordings } = await guessAndListen(usable);
  return all.map((one): Guessed => {
    if ("error" in one) return one;
    const index = usable.indexOf(one);
    const guess = sounds[index];
    if (guess === undefined) throw new RangeError("A sound has no guess.");
    const recording = recordings.find(({ members }) => members.includes(index));
    return { file: one.file, guess, recording };
  });
}

/** One file as it was read. */
type Read =
  | ({ readonly file: string } & SoundToGuess)
  | { readonly file: string; readonly error: string };

async function readOrError(file: string): Promise<Read> {
  try {
    const { source } = await openSound(file);
    return { file, ...(await readForGuess(file, source)) };
  } catch (error) {
    if (!isUnusableWav(error) && !(error instanceof ClientError)) throw error;
    return { file, error: sentenceOf(error) };
  }
}

/** One file's guess as `--json` prints it (rule K5). */
function guessJson(one: Guessed, name: string): object {
  if ("error" in one) return one;
  const { title, kind, role, bpm, lengthBeats, key, confidence, because } = one.guess;
  const { recording } = one;
  return {
    file: one.file,
    title,
    name,
    kind,
    role,
    bpm,
    length_beats: lengthBeats,
    key,
    confidence,
    because,
    ...(recording !== undefined && { recording: recordingJson(recording) }),
  };
}

function recordingJson({ title, members, seconds, bpm }: Recording): object {
  return { title, stems: members.length, seconds: Math.round(seconds * 1000) / 1000, bpm };
}

/** Formats a table in which the files of a recording follow each other below a line about it. */
function formatGuesses(all: readonly Guessed[]): string {
  const groups = groupBy(all, (one) => ("recording" in one && one.recording) || one);
  const rows = formatTable(COLUMNS, [...groups.values()].flat().map(formatRow));
  const head = rows.length - all.length;
  const lines = rows.slice(0, head);
  let at = head;
  for (const [key, members] of groups) {
    if ("members" in key) lines.push(formatLine(key));
    lines.push(...rows.slice(at, at + members.length));
    at += members.length;
  }
  return lines.join("\n");
}

function formatLine(recording: Recording): string {
  const line = formatRecording(inEnglish, recording);
  return recording.bpm === null ? `${line}. send --bpm sends them in time.` : line;
}

const COLUMNS: readonly TableColumn[] = [
  { heading: "File", align: "left" },
  { heading: "Title", align: "left" },
  { heading: "Kind", align: "left" },
  { heading: "Role", align: "left" },
  { heading: "BPM", align: "right" },
  { heading: "Beats", align: "right" },
  { heading: "Key", align: "left" },
  { heading: "Because", align: "left" },
];

const KINDS = { loop: "loop", oneshot: "one-shot" } as const;

function formatRow(one: Guessed): readonly string[] {
  if ("error" in one) return [one.file, "", "", "", "", "", "", one.error];
  const { title, kind, role, bpm, lengthBeats, key, because } = one.guess;
  const isUnknownTempo = kind === "loop" && bpm === null;
  return [
    one.file,
    title,
    kind === null ? "?" : KINDS[kind],
    role ?? "",
    bpm === null ? (isUnknownTempo ? "?" : "") : formatNumber(bpm),
    lengthBeats === null ? "" : formatNumber(lengthBeats),
    key ?? "",
    because,
  ];
}
