import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageStatus } from "../../core/protocol/package-status.ts";

/** Requests and answers as a relay gave them, and what a client must make of them. `docs/use/other-languages.md` explains it. */
export interface VectorFile {
  readonly about: string;
  /** The token that the client starts with. */
  readonly token: string;
  readonly app: { readonly name: string; readonly id: string };
  readonly sounds: Readonly<Record<string, VectorSound>>;
  readonly vectors: readonly Vector[];
  readonly foreign: ForeignPart;
  readonly wavs: readonly WavVector[];
  readonly names: readonly NamesVector[];
}

/** A WAV and the judgment of the relay's gate (rule U4). */
export interface WavVector {
  /** The sound's name, for the sentence. */
  readonly name: string;
  readonly sound: VectorSound;
  /** Undefined if it is accepted. */
  readonly error?: { readonly code: string; readonly error: string };
}

/** Files that become a package, and the names that its sounds get (rule W2). */
export interface NamesVector {
  /** Null for bytes without a name. */
  readonly files: readonly (string | null)[];
  /** The entries of the manifest, without `bytes` and `sha256`. */
  readonly items: readonly object[];
}

/** Answers of somebody in the relay's place (rule W41). */
export interface ForeignPart {
  readonly answers: readonly ForeignAnswer[];
  /** Names of vectors, each of which is tried with every answer, at first and in the middle. */
  readonly calls: readonly string[];
  /** Vectors of a relay that knows only the public specification. */
  readonly vectors: readonly Vector[];
}

export interface ForeignAnswer {
  readonly name: string;
  readonly answer: Answer;
  /** The error's code if every request gets this answer from the start. */
  readonly first: "NOT_A_RELAY" | "REDIRECTED" | "RELAY_TROUBLE";
}

/** A file: the bytes of `head`, then zeros. */
export interface VectorSound {
  readonly head: string;
  readonly zeros: number;
}

export interface Vector {
  readonly name: string;
  readonly act: VectorAct;
  readonly exchanges: readonly Exchange[];
  /** The first such request gets this answer in place of its exchange's. */
  readonly instead?: readonly Instead[];
  /** Fields that the client's result has at least. */
  readonly result?: object;
  /** Fields that its error has at least. */
  readonly error?: VectorError;
  /** True if the client still has its token afterwards. */
  readonly keepsToken: boolean;
}

/** The app's action. */
export type VectorAct =
  | { readonly call: "pair"; readonly code: string }
  | { readonly call: "me" | "unpair" }
  | { readonly call: "announce"; readonly manifest: object; readonly key: string }
  | { readonly call: "upload"; readonly path: string; readonly sound: string }
  | { readonly call: "commit" | "withdraw" | "status"; readonly packageId: string }
  | { readonly call: "packages"; readonly status: readonly PackageStatus[] }
  | { readonly call: "send"; readonly title: string; readonly sound: string; readonly key: string };

export interface Exchange {
  /** `must`: the client makes this request. `may`: it can do without. Of those in one group, it makes at least one. */
  readonly need: "must" | "may" | { readonly oneOf: string };
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** The request has at least these, by lowercase name. */
    readonly headers: Readonly<Record<string, string>>;
    /** Body as JSON; as SHA-256 for a sound's bytes. */
    readonly body?: { readonly json: unknown } | { readonly sha256: string };
  };
  readonly answer: Answer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface Instead {
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

export interface VectorError {
  readonly status?: number;
  readonly message?: string;
  readonly code?: string;
  readonly retry_after?: number;
  readonly missing?: readonly string[];
  readonly sound?: string;
  readonly file?: string;
  readonly field?: string;
  readonly position?: number;
  readonly problems?: readonly object[];
}

export const VECTORS_PATH = join(import.meta.dirname, "./vectors.json");

export function readVectors(): VectorFile {
  return JSON.parse(readFileSync(VECTORS_PATH, "utf8"));
}

/** A sound's bytes. */
export function bytesOf({ head, zeros }: VectorSound): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(head, "base64"), Buffer.alloc(zeros)]);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
