import type { Command } from "commander";
import { ClientError } from "../../client/wire/client-error.ts";
import type { SoundGuess } from "../../core/guess/sound-guess.ts";
import { uniqueNames } from "../../core/guess/guess-package-title.ts";
import { formatNumber } from "../../core/text/format-number.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { formatTable, type TableColumn } from "../../core/text/text-table.ts";
import { newCommand, withJson } from "../command.ts";
import { outputFor } from "../output.ts";
import { findSounds, guessFile, isUnusableWav, openSound } from "../sound-files.ts";

/** `soundferry guess`: what sounds are, from their names and lengths (rule K2). */
export function guessCommand(): Command {
  const command = newCommand(
    "guess",
    "Prints what WAV files probably are: title, loop or one-shot, role, tempo, length in beats and key, " +
      "from name, folder, length and the file's own notes. send uses the same.",
  ).argument("<path...>", "WAV files, or folders of them");
  return withJson(command).action(runGuess);
}

/** One file: its guess, or why it has none. */
type Guessed =
  | { readonly file: string; readonly guess: SoundGuess }
  | { readonly file: string; readonly error: string };

async function runGuess(
  paths: readonly string[],
  flags: { readonly json?: boolean },
): Promise<void> {
  const output = outputFor(flags);
  const all: Guessed[] = [];
  for (const file of await findSounds(paths)) all.push(await guessOrError(file));
  const names = uniqueNames(all.map((one) => ("guess" in one ? one.guess.title : "")));
  const rows = all.map((one, index) => guessJson(one, names[index] ?? ""));
  output.give(rows, formatTable(COLUMNS, all.map(formatRow)).join("\n"));
  if (all.some((one) => "error" in one)) process.exitCode = 1;
}

async function guessOrError(file: string): Promise<Guessed> {
  try {
    const { source } = await openSound(file);
    return { file, guess: await guessFile(file, source) };
  } catch (error) {
    if (!isUnusableWav(error) && !(error instanceof ClientError)) throw error;
    return { file, error: sentenceOf(error) };
  }
}

/** One file's guess as `--json` prints it (rule K5). */
function guessJson(one: Guessed, name: string): object {
  if ("error" in one) return one;
  const { title, kind, role, bpm, lengthBeats, key, confidence, because } = one.guess;
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
  };
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
