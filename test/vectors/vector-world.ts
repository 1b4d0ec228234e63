import type { AnnounceAnswer } from "../../core/protocol/public-api.ts";
import type { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import type { Recorder } from "./recorder.ts";
import { bytesOf, sha256Of, type Vector, type VectorAct, type VectorSound } from "./vector.ts";
import { manifestOf } from "../manifest-of.ts";

/** Long enough for clients to resume it. */
const LONG_FRAMES = 1_000_000;
export const SOUNDS = {
  "kick.wav": soundOf(smallWav()),
  "long.wav": soundOf(smallWav({ frames: LONG_FRAMES })),
  "notes.wav": { head: Buffer.from("These are notes and no sound.").toString("base64"), zeros: 40 },
} as const satisfies Record<string, VectorSound>;

/** The tools that the scenes share: a relay, a pairing, and the way to write a vector down. */
export interface VectorWorld {
  readonly relay: RunningRelay;
  readonly recorder: Recorder;
  readonly token: string;
  /** Announces without writing it down; the package's id is replaced by `pkg_<label>` from then on. */
  readonly announced: (label: string, manifest: object) => Promise<AnnounceAnswer>;
  readonly add: (
    name: string,
    act: VectorAct,
    facts: Omit<Vector, "name" | "act" | "keepsToken">,
  ) => void;
}

/** A manifest of sounds of the file. */
export function manifestFor(files: readonly (keyof typeof SOUNDS)[], more: object = {}): object {
  const items = files.map((file) => {
    const bytes = bytesOf(SOUNDS[file]);
    return { file, bytes: bytes.byteLength, sha256: sha256Of(bytes), name: file.slice(0, -4) };
  });
  return { ...manifestOf([]), items, ...more };
}

/** Returns a client's reading of an answer. */
export function outcomeOf({ status, headers, body }: Vector["exchanges"][number]["answer"]) {
  if (status < 300) return { result: body as object };
  const { error: message, ...more } = body as { error: string; code: string };
  const retryAfter = headers["retry-after"];
  const error = {
    status,
    message,
    ...more,
    ...(retryAfter !== undefined && { retry_after: Number(retryAfter) }),
  };
  return { error };
}

function soundOf(wav: Buffer): VectorSound {
  const head = wav.subarray(0, 44).toString("base64");
  return { head, zeros: wav.length - 44 };
}
