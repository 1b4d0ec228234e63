import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { OpenedFile, RelayPort } from "../../../addon/relay/relay-port.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import { smallWav } from "../../wav-bytes.ts";
import { importablePackage, type PlacedSound } from "../relay/packages-to-import.ts";

/** A fault in one request for a file. */
export type Fault =
  | { readonly cutAfter: number }
  | { readonly stallAfter: number }
  /** An answer with a status; without a code, it comes from a proxy. */
  | { readonly status: number; readonly code?: string; readonly retryAfterSeconds?: number }
  | { readonly startAt: number }
  | { readonly instead: Buffer };

export type OfferedSound = Omit<PlacedSound, "file">;

/**
 * The importer's side of a relay: files over real sockets, take and report as plain calls. Each
 * request for a file uses up the first fault that waits for it.
 */
export class SoundRelay {
  readonly requests: { readonly file: string; readonly range: string | undefined }[] = [];
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
  readonly #server = createServer((request, response) => this.#serve(request, response));

  static async start(): Promise<SoundRelay> {
    const relay = new SoundRelay();
    await new Promise<void>((resolve) => {
      relay.#server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => relay.stop());
    return relay;
  }

  /** Cuts every connection and accepts no more. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  port(): RelayPort {
    const { port } = this.#server.address() as AddressInfo;
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
      openFile: (path, options) => openOver(port, path, options),
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

  rangesOf(file: string): (string | undefined)[] {
    return this.requests.filter((each) => each.file === file).map(({ range }) => range);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const file = (request.url ?? "").slice(1);
    const { range } = request.headers;
    this.requests.push({ file, range });
    this.#sending.push(file);
    this.mostAtOnce = Math.max(this.mostAtOnce, new Set(this.#sending).size);
    response.once("close", () => this.#sending.splice(this.#sending.indexOf(file), 1));
    const fault = this.faults.get(file)?.shift();
    const status = fault !== undefined && "status" in fault ? fault.status : undefined;
    const whole = fault !== undefined && "instead" in fault ? fault.instead : this.#files.get(file);
    if (whole === undefined || status !== undefined) {
      const { code, retryAfterSeconds: wait } =
        fault !== undefined && "status" in fault ? fault : { code: "FILE_UNKNOWN" };
      response
        .writeHead(status ?? 404, wait === undefined ? {} : { "retry-after": String(wait) })
        .end(JSON.stringify({ error: "No such file.", code }));
      return;
    }
    const asked = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const start = fault !== undefined && "startAt" in fault ? fault.startAt : asked;
    const body = whole.subarray(start);
    const contentRange = { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` };
    response.writeHead(start > 0 ? 206 : 200, {
      "content-length": body.length,
      ...(start > 0 && contentRange),
    });
    if (fault !== undefined && "cutAfter" in fault) {
      response.write(body.subarray(0, fault.cutAfter), () => {
        setImmediate(() => request.socket.destroy());
      });
    } else if (fault !== undefined && "stallAfter" in fault) {
      response.write(body.subarray(0, fault.stallAfter));
    } else {
      response.end(body);
    }
  }
}

function openOver(
  port: number,
  path: string,
  { startByte, signal }: { readonly startByte: number; readonly signal: AbortSignal },
): Promise<OpenedFile> {
  const headers = startByte > 0 ? { range: `bytes=${startByte}-` } : {};
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path, headers, signal }, (answer) => {
      const status = answer.statusCode ?? 0;
      if (status >= 300) {
        const retryAfterSeconds = Number(answer.headers["retry-after"] ?? 0);
        void text(answer).then((body) => {
          const { error, code } = JSON.parse(body);
          reject(new RelayError(status, error, { code, retryAfterSeconds }));
        }, reject);
        return;
      }
      const start = /^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "")?.[1];
      resolve({ startByte: Number(start ?? 0), body: answer });
    });
    request.on("error", reject);
  });
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
