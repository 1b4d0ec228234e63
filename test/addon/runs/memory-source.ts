import { createHash } from "node:crypto";
import type { PackageSource, SoundStream } from "../../../addon/packages/package-source.ts";
import type { RelayPort } from "../../../addon/relay/relay-port.ts";
import { smallWav } from "../../wav-bytes.ts";
import { parseLocalManifest } from "../../../core/manifest/parse-manifest.ts";

/** A source's answer to one request for a sound's file. */
export type Attempt = (request: {
  readonly wav: Buffer;
  readonly startByte: number;
  readonly signal: AbortSignal;
}) => SoundStream | Promise<SoundStream>;

export interface MemorySound {
  readonly name: string;
  readonly wav: Buffer;
  /** Fields of its manifest; an undefined one is left out, such as its size. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A package whose sounds are in memory; nothing goes over a socket. */
export class MemorySource implements PackageSource {
  readonly packageId: string;
  readonly manifest: PackageSource["manifest"];
  readonly warnings = [];
  readonly problems: Map<string, string>;
  readonly relay: RelayPort | undefined;
  /** By file, the byte at which each request for it began. */
  readonly starts = new Map<string, number[]>();
  /** By file, the next attempts: each request uses up the first; without one, the rest of the file is sent. */
  readonly attempts = new Map<string, Attempt[]>();
  readonly #wavs = new Map<string, Buffer>();

  constructor(sounds: readonly MemorySound[], packageId = "pkg_a", relay?: RelayPort) {
    const items = sounds.map(({ name, wav, more }) => {
      this.#wavs.set(`${name}.wav`, wav);
      const sha256 = createHash("sha256").update(wav).digest("hex");
      return { file: `${name}.wav`, name, kind: "oneshot", bytes: wav.length, sha256, ...more };
    });
    const value = { schema: "app2host/1", title: "Kit", source: { app: "Looper" }, items };
    const { manifest, problems } = parseLocalManifest(JSON.parse(JSON.stringify(value)), {
      packageId,
    });
    this.packageId = packageId;
    this.manifest = manifest;
    this.problems = new Map(problems);
    this.relay = relay;
  }

  async open(...[{ file }, options]: Parameters<PackageSource["open"]>): Promise<SoundStream> {
    const wav = this.#wavs.get(file) ?? Buffer.alloc(0);
    this.starts.set(file, [...(this.starts.get(file) ?? []), options.startByte]);
    const attempt = this.attempts.get(file)?.shift() ?? cutAfter(Infinity);
    return attempt({ wav, ...options });
  }
}

/** A package called Kit with one sound, as the finder finds it. */
export function foundKit(packageId: string) {
  const source = new MemorySource([{ name: "Kick", wav: smallWav() }], packageId);
  return { packageId, title: "Kit", source };
}

/** Sends the given number of bytes, and then nothing more; the connection stays open. */
export function stallAfter(bytes: number): Attempt {
  return ({ wav, startByte }) => {
    async function* send(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(wav.subarray(startByte, startByte + bytes));
      await new Promise<never>(() => undefined);
    }
    return { startByte, fileBytes: wav.length, body: send() };
  };
}

/** Sends the given number of bytes, from the requested one, and ends. */
export function cutAfter(bytes: number): Attempt {
  return ({ wav, startByte }) => streamOf(wav, startByte, bytes);
}

/** Fails before the first byte, like a relay that answers with this error. */
export function failWith(error: unknown): Attempt {
  return async () => {
    throw error;
  };
}

export function streamOf(wav: Buffer, startByte: number, bytes = Infinity): SoundStream {
  async function* send(): AsyncGenerator<Uint8Array> {
    // A copy: the reader of a piece empties it.
    yield new Uint8Array(wav.subarray(startByte, startByte + bytes));
  }
  return { startByte, fileBytes: wav.length, body: send() };
}
