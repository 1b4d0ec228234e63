import type { Heard } from "../../../core/audio/listening/heard.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";
import type { RepairNote } from "../../../core/audio/repair-note.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";

/** The part of `@soundferry/client/audio` that a session uses. Only browsers have all of it. */
export interface AudioTools {
  convert(sound: Blob, options: { readonly name: string }): Promise<Converted>;
  wavOf(decoded: DecodedSound, name: string): Promise<Blob>;
  listen(wav: Blob, header: WavHeader): Promise<Heard | null>;
  readonly Recorder: { start(onEnd: () => void): Promise<RunningRecorder> };
}

/** A sound as a WAV, and the format that it was converted from. */
export interface Converted {
  readonly wav: Blob;
  readonly header: WavHeader;
  readonly hints: LoopHints;
  readonly from: {
    readonly name: string | null;
    readonly sampleRateHz: number | null;
    readonly isPadded: boolean;
    readonly isVideo: boolean;
  } | null;
  readonly notes: readonly RepairNote[];
}

/** An `AudioBuffer`, as far as a session tells it from a file. */
export interface DecodedSound {
  readonly numberOfChannels: number;
}

/** A microphone that is being recorded. */
export interface RunningRecorder {
  readonly seconds: number;
  readonly sizeBytes: number;
  /** Returns the peak of the last moment, from 0 to 1. */
  level(): number;
  stop(): Promise<{ readonly wav: Blob; readonly lostSeconds: number }>;
  cancel(): void;
}
