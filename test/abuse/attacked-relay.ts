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

/** What is attacked: one relay, or several as if they were one. Disposing it ends them and removes what they left. */
export interface Attacked extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** How many relays it is. */
  readonly relays: number;
  readonly metricsUrl: string | undefined;
  usage(): Promise<Usage>;
  /** The same after that time, once its memory has settled. */
  settledUsage(afterMs: number): Promise<Usage>;
  /** Pairing codes made and looked up so far. */
  hashedCodes(): Promise<number>;
}

export interface OpenOptions extends Partial<Omit<ProcessOptions, "logPath">> {
  /** Settings by their variables, over those of every attack. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The room on a disk that never changes. Default: that of the real one. */
  readonly diskBytes?: number;
  /** Whether 127.0.0.1 is a trusted proxy that names the strangers' addresses. Default: true. */
  readonly isBehindProxy?: boolean;
}

/** A relay in a process and a folder of its own. */
export class AttackedRelay implements Attacked {
  readonly url: string;
  readonly port: number;
  readonly relays = 1;
  readonly metricsUrl: string | undefined;
  readonly #program: Program<ServerCalls>;
  readonly #folder: string;

  private constructor(
    { url, metricsUrl }: { readonly url: string; readonly metricsUrl?: string | undefined },
    program: Program<ServerCalls>,
    folder: string,
  ) {
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.port = Number(new URL(url).port);
    this.#program = program;
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
    return this.#program.usage();
  }

  settledUsage(afterMs: number): Promise<Usage> {
    return settled(afterMs, () => this.usage());
  }

  hashedCodes(): Promise<number> {
    return this.#program.call("hashedCodes", undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What was used after that time, once the memory has settled. */
export async function settled(afterMs: number, look: () => Promise<Usage>): Promise<Usage> {
  await sleep(afterMs);
  let usage = await look();
  for (let count = 0; count < LOOKS; count += 1) {
    await sleep(LOOK_MS);
    const { peakMb } = usage;
    usage = await look();
    if (usage.peakMb <= peakMb) break;
  }
  return usage;
}
