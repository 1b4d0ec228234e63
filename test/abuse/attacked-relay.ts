import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Usage } from "../../bench/processes/answer-calls.ts";
import { type ProcessOptions, Program } from "./program.ts";

/** The functions of `processes/relay.ts`, and of what is tried in its place. */
export interface ServerCalls {
  start(options: {
    readonly flags: Readonly<Record<string, string>>;
    readonly diskBytes?: number | undefined;
  }): Promise<{ readonly url: string; readonly metricsUrl?: string | undefined }>;
  hashedCodes(argument: undefined): number;
}

/** Memory that grows no more between two looks has settled; a slow machine gets so many of them. */
const LOOK_MS = 1000;
const LOOKS = 20;

export interface OpenOptions extends Partial<Omit<ProcessOptions, "logPath">> {
  /** Settings by their variables, over those of every attack. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The room on a disk that never changes. Default: that of the real one. */
  readonly diskBytes?: number;
  /** Whether 127.0.0.1 is a trusted proxy that names the strangers' addresses. Default: true. */
  readonly isBehindProxy?: boolean;
}

/** A relay in a process and a folder of its own. Disposing it ends the process and removes the folder. */
export class AttackedRelay implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string | undefined;
  readonly program: Program<ServerCalls>;
  readonly #folder: string;

  private constructor(
    { url, metricsUrl }: { readonly url: string; readonly metricsUrl?: string | undefined },
    program: Program<ServerCalls>,
    folder: string,
  ) {
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.port = Number(new URL(url).port);
    this.program = program;
    this.#folder = folder;
  }

  static async open(options: OpenOptions = {}): Promise<AttackedRelay> {
    const { settings = {}, isBehindProxy = true, file = "relay", core, descriptors } = options;
    const folder = await mkdtemp(join(tmpdir(), "soundferry-abuse-"));
    const logPath = join(folder, "relay.log");
    const program = new Program<ServerCalls>({ file, core, descriptors, logPath });
    const served = await program.call("start", {
      diskBytes: options.diskBytes,
      flags: {
        SOUNDFERRY_PORT: "0",
        SOUNDFERRY_DATA: join(folder, "data"),
        SOUNDFERRY_MIN_FREE_BYTES: "0",
        ...(isBehindProxy && { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" }),
        ...settings,
      },
    });
    return new AttackedRelay(served, program, folder);
  }

  usage(): Promise<Usage> {
    return this.program.usage();
  }

  /** The same after that time, once its memory has settled. */
  async settledUsage(afterMs: number): Promise<Usage> {
    await sleep(afterMs);
    let usage = await this.usage();
    for (let look = 0; look < LOOKS; look += 1) {
      await sleep(LOOK_MS);
      const { peakMb } = usage;
      usage = await this.usage();
      if (usage.peakMb <= peakMb) break;
    }
    return usage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
