import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROCESS = join(import.meta.dirname, "relay-process.ts");

/** The relay was killed before it answered; the request may or may not have taken effect. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** An answer with its body as bytes. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  readonly json: any;
}

/** A relay in a separate process, on a folder that outlives it. */
export class KillableRelay implements AsyncDisposable {
  readonly folder: string;
  #child: ChildProcess | undefined;
  #url = "";

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(): Promise<KillableRelay> {
    const relay = new KillableRelay(await mkdtemp(join(tmpdir(), "soundferry-crash-")));
    await relay.restart();
    return relay;
  }

  /** Starts a new process on the previous one's folder. */
  async restart(): Promise<void> {
    const child = spawn(process.execPath, [PROCESS], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        SOUNDFERRY_PORT: "0",
        SOUNDFERRY_DATA: this.folder,
        SOUNDFERRY_LOG_LEVEL: "error",
        SOUNDFERRY_MIN_FREE_BYTES: "0",
        SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000000",
        SOUNDFERRY_PACKAGES_PER_HOUR: "1000000",
        SOUNDFERRY_CALLS_PER_MINUTE: "1000000",
      },
    });
    this.#child = child;
    this.#url = await new Promise<string>((resolve, reject) => {
      child.stdout?.once("data", (line) => resolve(String(line).trim()));
      child.once("exit", (code) => reject(new Error(`The relay did not start: exit ${code}.`)));
    });
  }

  /** Kills the process at once, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @throws {Lost} if the relay was killed before its answer was complete */
  async call(
    method: string,
    path: string,
    options: {
      readonly token?: string;
      readonly body?: object;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> {
    const asked = this.#child;
    const { token, body, headers = {} } = options;
    try {
      const answer = await fetch(this.#url + path, {
        method,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && {
          body: body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      return {
        status: answer.status,
        body: bytes,
        json: isJson ? JSON.parse(String(bytes)) : undefined,
      };
    } catch (error) {
      if (asked !== undefined && asked === this.#child && asked.exitCode === null) throw error;
      throw new Lost(`${method} ${path}`, { cause: error });
    }
  }
}
