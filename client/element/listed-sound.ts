import { MAX_BPM, MIN_BPM } from "../../core/limits.ts";
import type { SoundKind } from "../../core/manifest/manifest.ts";
import { parseDecimal } from "../../core/text/format-number.ts";
import type { SoundDraft, SoundSource } from "../send/package-draft.ts";

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
