import { basename } from "node:path";
import type { SoundDraft } from "../../../client/send/package-draft.ts";
import { guessTitle, uniqueNames } from "../../../core/guess/guess-package-title.ts";
import { formatRecording } from "../../../core/guess/guess-sounds.ts";
import type { Recording } from "../../../core/guess/recording.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import type { SoundKind } from "../../../core/manifest/manifest.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { type PackFlags, packSounds, type PlannedPackage } from "./pack-sounds.ts";
import { guessAndListen } from "../../guess-and-listen.ts";
import {
  isUnusableWav,
  nameForGuess,
  openSound,
  readForGuess,
  type SoundToGuess,
} from "../../sound-files.ts";

/** The facts that a person gives about loose files; they win over the guesses. */
export interface SaidOfLoose {
  /** The tempo of loops that don't say their own. */
  readonly bpm?: number | undefined;
  /** Kind of the sounds that nothing decides; a one-shot if omitted. */
  readonly undecidedKind?: SoundKind | undefined;
}

export interface LooseOptions {
  /** The app's name in the package. */
  readonly appName: string;
  readonly said: SaidOfLoose;
  readonly flags: PackFlags;
}

/** A sound that neither its name nor its length decides, and nobody did. */
export interface UndecidedSound {
  readonly file: string;
  /** The kind it is sent as: a loop without a tempo, or a one-shot. */
  readonly kind: SoundKind;
  /** A sentence. */
  readonly because: string;
}

/** The packages to send, as a rule one, and what a person should know first. */
export interface Outgoing {
  readonly packages: readonly PlannedPackage[];
  readonly undecided: readonly UndecidedSound[];
  /** The recordings that its sounds are files of, such as the stems of a song (rule Y8). */
  readonly recordings: readonly Recording[];
  /** Sentences on the repairs, each with its file. */
  readonly notes: readonly string[];
}

/** Reads loose files, with names, kinds, tempi and roles as they are guessed (rules K2, Y1 to Y11). */
export async function readLooseSounds(
  { folder, files }: { readonly folder?: string; readonly files: readonly string[] },
  { appName, said, flags }: LooseOptions,
): Promise<Outgoing> {
  const opened = await Promise.all(files.map(openSound));
  const read = await Promise.all(
    opened.map(({ source }, index) => readOrName(files[index] ?? "", source, said.bpm)),
  );
  const { sounds: guesses, recordings } = await guessAndListen(read);
  const names = uniqueNames(guesses.map(({ title }) => title));
  const sounds = read.map(({ source, header }, index) => {
    const [name, guess] = [names[index], guesses[index]];
    const draft: SoundDraft = { source, name, ...(guess && describe(guess, said)) };
    return { draft, source, header };
  });
  const fileNames = files.map((file) => basename(file));
  const title = guessTitle({ folderName: folder, fileNames, recordings });
  const undecided = guesses.flatMap(({ kind, because }, index): UndecidedSound[] => {
    const sound = sounds[index]?.draft;
    const isOpen = kind === null && said.undecidedKind === undefined;
    const isWithoutTempo = sound?.kind === "loop" && sound.bpm === undefined;
    if (!isOpen && !isWithoutTempo) return [];
    return [{ file: fileNames[index] ?? "", kind: sound?.kind ?? "oneshot", because }];
  });
  const packages = packSounds({ title, app: appName }, sounds, flags, recordings);
  return { packages, undecided, recordings, notes: opened.flatMap(({ notes }) => notes) };
}

/** A file that is no usable WAV is named only: the relay refuses it with its sentence. */
async function readOrName(path: string, source: File, bpm?: number): Promise<SoundToGuess> {
  try {
    return await readForGuess(path, source, bpm);
  } catch (error) {
    if (!isUnusableWav(error)) throw error;
    return nameForGuess(path, source);
  }
}

/** The key stays out: the manifest has no field for it (rule Y6). */
function describe(
  guess: SoundGuess,
  { bpm, undecidedKind }: SaidOfLoose,
): Pick<SoundDraft, "kind" | "role" | "bpm" | "lengthBeats"> {
  const kind = guess.kind ?? undecidedKind ?? "oneshot";
  const role = guess.role ?? undefined;
  if (kind === "oneshot") return { kind, role };
  return guess.bpm === null
    ? { kind, role, bpm }
    : { kind, role, bpm: guess.bpm, lengthBeats: guess.lengthBeats ?? undefined };
}

/** Says which sounds stay one recording, and how to give them a tempo (rules K2 and Y8). */
export function formatRecordings(recordings: readonly Recording[]): readonly string[] {
  return recordings.map((recording) => {
    const line = formatRecording(inEnglish, recording);
    return recording.bpm === null ? `${line}. Add --bpm to send them in time.` : line;
  });
}

/** Says what nobody decided, what it becomes, and how to say otherwise (rule K2). */
export function formatUndecided(undecided: readonly UndecidedSound[]): readonly string[] {
  const loops = undecided.filter(({ kind }) => kind === "loop");
  const others = undecided.filter(({ kind }) => kind === "oneshot");
  return [
    ...formatGroup(
      others,
      "sent as one-shots, because nothing says what they are",
      "To send them as loops, add --undecided loop; to say that they are one-shots, --undecided oneshot. " +
        "A name can say it too: “loop” or “one shot”, and a tempo such as “120 bpm”.",
    ),
    ...formatGroup(
      loops,
      "sent as loops without a tempo, so it is guessed when they are imported",
      "To say it, add --bpm, or put it into the name, such as “120 bpm”.",
    ),
  ];
}

function formatGroup(
  group: readonly UndecidedSound[],
  becomes: string,
  remedy: string,
): readonly string[] {
  if (group.length === 0) return [];
  return [
    `Undecided: ${countOf(group.length, "sound")} ${becomes}.`,
    ...group.map(({ file, because }) => `  ${file}: ${because}`),
    `  ${remedy}`,
  ];
}
