import { once } from "node:events";
import type { OpenedFile, RelayPort } from "../../../addon/relay/relay-port.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import { smallWav } from "../../wav-bytes.ts";
import { importablePackage, type PlacedSound } from "../relay/packages-to-import.ts";

/** A fault in one request for a file. */
export type Fault =
  | { readonly cutAfter: number }
  | { readonly stallAfter: number }
  /** An answer with a status; without a code, it comes from a proxy. */
  | { readonly status: number; readonly code?: string }
  | { readonly instead: Buffer };

const PIECE_BYTES = 65_536;

export type OfferedSound = Omit<PlacedSound, "file">;

/** The importer's port to a relay in memory. Each request for a file uses up the first fault that waits for it. */
export class SoundRelay {
  readonly requests: { readonly file: string; readonly startByte: number }[] = [];
  /** Files that were sent to their last byte. */
  readonly sent = new Set<string>();
  readonly faults = new Map<string, Fault[]>();
  readonly takes: {
    readonly packageId: string;
    readonly runId: string;
    readonly force: boolean;
  }[] = [];
  readonly reports = new Map<string, SoundResults>();
  /** Statuses with which `take` and `report` are refused. */
  readonly refuse: { take?: number; report?: number } = {};
  /** Largest number of files that were being sent at the same time. */
  mostAtOnce = 0;
  readonly #files = new Map<string, Buffer>();
  readonly #sending: string[] = [];

  port(): RelayPort {
    return {
      // The same after a restart.
      relayUrl: "http://relay.test",
      take: async (packageId, { run_id: runId, force = false }) => {
        this.takes.push({ packageId, runId, force });
        if (this.refuse.take !== undefined) throw new RelayError(this.refuse.take, "No take.");
        return { expires_at: "", expires_in: 300 };
      },
      report: async (packageId, results) => {
        if (this.refuse.report !== undefined) throw new RelayError(this.refuse.report, "No.");
        // As it would go over the wire.
        this.reports.set(packageId, JSON.parse(JSON.stringify(results)));
        return { status: "imported" };
      },
      openFile: (path, options) => this.#open(path.slice(1), options),
    };
  }

  offer(packageId: string, title: string, offered: readonly OfferedSound[]): ImportablePackage {
    const sounds = offered.map((sound, index) => {
      return { ...sound, file: `${packageId}-${index + 1}.wav` };
    });
    for (const { file, wav } of sounds) this.#files.set(file, wav);
    return importablePackage(packageId, title, { sounds, folder: "/" });
  }

  /** Makes the next `times` requests for a file fail in the same way. */
  spoil(file: string, fault: Fault, times = 1): void {
    this.faults.set(
      file,
      Array.from({ length: times }, () => fault),
    );
  }

  startsOf(file: string): number[] {
    return this.requests.filter((each) => each.file === file).map(({ startByte }) => startByte);
  }

  async #open(
    file: string,
    { startByte, signal }: Parameters<RelayPort["openFile"]>[1],
  ): Promise<OpenedFile> {
    this.requests.push({ file, startByte });
    const fault = this.faults.get(file)?.shift() ?? { cutAfter: Infinity };
    if ("status" in fault) throw new RelayError(fault.status, "No such file.", fault);
    const whole = "instead" in fault ? fault.instead : this.#files.get(file);
    if (whole === undefined) throw new RelayError(404, "No such file.", { code: "FILE_UNKNOWN" });
    const body = whole.subarray(startByte);
    return { startByte, body: this.#send(file, { body, fault, signal }) };
  }

  async *#send(
    file: string,
    { body, fault, signal }: { body: Buffer; fault: Fault; signal: AbortSignal },
  ): AsyncGenerator<Uint8Array> {
    this.#sending.push(file);
    this.mostAtOnce = Math.max(this.mostAtOnce, new Set(this.#sending).size);
    const isStalled = "stallAfter" in fault;
    const limit = isStalled ? fault.stallAfter : "cutAfter" in fault ? fault.cutAfter : Infinity;
    const end = Math.min(limit, body.length);
    try {
      for (let start = 0; start < end; start += PIECE_BYTES) {
        signal.throwIfAborted();
        // A copy: the reader of a piece empties it.
        yield new Uint8Array(body.subarray(start, Math.min(start + PIECE_BYTES, end)));
      }
      signal.throwIfAborted();
      if (isStalled) await once(signal, "abort").then(() => signal.throwIfAborted());
      if (end < body.length) throw new Error("The connection was cut.");
      this.sent.add(file);
    } finally {
      this.#sending.splice(this.#sending.indexOf(file), 1);
    }
  }
}

/** Offers the package `pkg_a`, called Kit, with a short sound for each name. */
export function offerKit(relay: SoundRelay, names: readonly string[]): ImportablePackage {
  const sounds = names.map((name, index) => ({
    name,
    wav: noise(smallWav({ frames: 1000 }), index),
  }));
  return relay.offer("pkg_a", "Kit", sounds);
}

/** A WAV's bytes, unique to each call. */
export function noise(wav: Buffer, seed: number): Buffer {
  let state = seed + 1;
  for (let offset = 44; offset < wav.length; offset += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    wav[offset] = state & 0xff;
  }
  return wav;
}
