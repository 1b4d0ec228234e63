import { guessSound } from "../../../core/guess/guess-sound.ts";
import { blobOf, fileNameOf } from "../sound-bytes.ts";
import type { AudioTools } from "./audio-tools.ts";
import { guessInput } from "./guess-list.ts";
import { editsOf, type FoundSound, type SessionSound } from "./session-sound.ts";

interface ReadOptions {
  readonly key: string;
  /** Its name in errors. */
  readonly name: string;
  readonly audio: Pick<AudioTools, "wavOf" | "convert">;
  /** False to send a loop without a tempo as it is. */
  readonly asksTempo: boolean;
}

/** Converts a sound to WAV and guesses what is left out. @throws {ClientError} why it can't be sent */
export async function readSound(
  sound: FoundSound,
  { key, name, audio, asksTempo }: ReadOptions,
): Promise<SessionSound> {
  const { source, folderName = null, file, warpMode, gainDb } = sound;
  const blob =
    "numberOfChannels" in source ? await audio.wavOf(source, name) : blobOf(source, name);
  const { wav, header, hints, from, notes: repairs } = await audio.convert(blob, { name });
  const fileName = fileNameIn(sound);
  const known = {
    key,
    source: wav,
    fileName,
    folderName,
    header,
    hints,
    from,
    repairs,
    edits: { ...(asksTempo ? {} : { isTempoOpen: true }), ...editsOf(sound) },
    rest: { file, warpMode, gainDb },
  };
  const guess = guessSound(guessInput(known, undefined));
  return { ...known, guess: fileName === "" ? { ...guess, title: name } : guess };
}

/** Returns the name of a sound's file; empty if it has none. */
export function fileNameIn({ source, file, name }: FoundSound): string {
  const own = source instanceof Blob ? fileNameOf(source) : undefined;
  return own ?? file ?? name ?? "";
}
