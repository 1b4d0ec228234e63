import { MAX_BPM, MIN_BPM } from "../../core/limits.ts";
import type { SoundKind } from "../../core/manifest/manifest.ts";
import { parseDecimal } from "../../core/text/parse-decimal.ts";
import type { SoundDraft, SoundSource } from "../send/package-draft.ts";
import { blobOf, fileNameOf } from "../send/sound-bytes.ts";
import type * as Audio from "../audio/index.ts";

/** A sound that an app gives to the element. Omitted fields are guessed. */
export interface ElementSound extends Omit<SoundDraft, "source"> {
  /** Any sound that the browser can decode; WAV and AIFF are read without decoding. */
  readonly source: SoundSource | AudioBuffer;
}

/** A sound in the element's list. */
export interface ListedSound {
  /** Its id in the package. */
  readonly id: string;
  readonly name: string;
  /** null while undecided. */
  readonly kind: SoundKind | null;
  /** Typed tempo; empty if unset. */
  readonly bpm: string;
  /** A WAV. */
  readonly wav: Blob;
  /** The rest of the description. */
  readonly draft: Omit<SoundDraft, "source">;
}

/**
 * Reads a sound, converts it to WAV and guesses the omitted fields.
 * @param packageBpm the app's tempo
 * @throws {ClientError} why it can't be sent
 */
export async function readListed(
  { source, ...draft }: ElementSound,
  id: string,
  packageBpm: number | undefined,
): Promise<ListedSound> {
  const { convert, guess, wavOf } = await loadAudio();
  const label = draft.name ?? `Sound ${id}`;
  const blob = isDecoded(source) ? await wavOf(source, label) : blobOf(source, label);
  const fileName = fileNameOf(blob) ?? draft.file ?? draft.name ?? "";
  const { wav, header, hints } = await convert(blob, { name: fileName || label });
  const guessed = guess(fileName, hints, header, { packageBpm });
  const bpm = draft.bpm ?? (draft.lengthBeats === undefined ? guessed.bpm : null);
  return {
    id: draft.id ?? id,
    name: draft.name ?? (fileName === "" ? label : guessed.title),
    kind: draft.kind ?? guessed.kind,
    bpm: bpm === null ? "" : String(bpm),
    wav,
    draft: {
      ...draft,
      role: draft.role ?? guessed.role ?? undefined,
      lengthBeats: draft.lengthBeats ?? (draft.bpm === undefined ? beatsOf(guessed) : undefined),
    },
  };
}

/** Describes a sound for sending. A one-shot has no tempo. */
export function draftOf({ id, name, kind, bpm, wav, draft }: ListedSound): SoundDraft {
  const isLoop = kind === "loop";
  return {
    ...draft,
    source: wav,
    id,
    name,
    kind: kind ?? undefined,
    bpm: isLoop ? tempoOf(bpm) : undefined,
    lengthBeats: isLoop ? draft.lengthBeats : undefined,
  };
}

/** Parses a typed tempo; undefined if it is empty or out of range. */
export function tempoOf(typed: string): number | undefined {
  const bpm = parseDecimal(typed);
  return bpm !== undefined && bpm >= MIN_BPM && bpm <= MAX_BPM ? bpm : undefined;
}

function isDecoded(source: SoundSource | AudioBuffer): source is AudioBuffer {
  return "numberOfChannels" in source;
}

function beatsOf({ lengthBeats }: { readonly lengthBeats: number | null }): number | undefined {
  return lengthBeats ?? undefined;
}

/** Loads `@soundferry/client/audio`, which is as large as the element, once a sound needs it. */
export function loadAudio(): Promise<typeof Audio> {
  return import("../audio/index.ts");
}
