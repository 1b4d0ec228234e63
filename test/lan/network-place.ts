import { execFile, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";

const run = promisify(execFile);
const DOOR = join(import.meta.dirname, "door.ts");

/** The other end of a connection, and the own address that it starts from. */
export interface End {
  readonly host: string;
  readonly port: number;
  readonly from?: string;
}

export interface PlaceAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface PlaceCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly from?: string;
}

/** A computer or phone with a network of its own: a network namespace of Linux, which ends with it. */
export class NetworkPlace implements AsyncDisposable {
  readonly #door: ChildProcess;
  readonly #folder: string;

  private constructor(door: ChildProcess, folder: string) {
    this.#door = door;
    this.#folder = folder;
  }

  /** @throws {Error} with a sentence where this computer can't make a network namespace */
  static async make(): Promise<NetworkPlace> {
    const folder = await mkdtemp(join(tmpdir(), "soundferry-place-"));
    const words = ["--net", process.execPath, DOOR, join(folder, "door")];
    const door = spawn("unshare", words, { stdio: ["pipe", "pipe", "pipe"] });
    const said: string[] = [];
    door.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
    const opened = once(door.stdout, "data").then(() => true);
    const failed = Promise.race([once(door, "exit"), once(door, "error")]).then(() => false);
    if (await Promise.race([opened, failed])) {
      const place = new NetworkPlace(door, folder);
      await place.ip("link set lo up").catch(async (error: unknown) => {
        await place[Symbol.asyncDispose]();
        throw error;
      });
      return place;
    }
    await rm(folder, { recursive: true });
    throw new Error(
      `This test needs network namespaces: Linux, root, and unshare and nsenter of util-linux. ${said.join("")}`,
    );
  }

  get pid(): number {
    return this.#door.pid ?? 0;
  }

  /** The words before a command that run it here. Such a process has the command's own process id. */
  get within(): readonly [string, ...string[]] {
    return ["nsenter", `--net=/proc/${this.pid}/ns/net`, "--"];
  }

  /** Runs `ip` here. @throws {Error} with a sentence where the program is missing */
  async ip(words: string): Promise<void> {
    const [program, ...first] = this.within;
    await run(program, [...first, "ip", ...words.split(" ")]).catch((error: unknown) => {
      const isMissing = error instanceof Error && "code" in error && error.code === 127;
      if (isMissing) throw new Error("This test needs the program ip: install iproute2.");
      throw error;
    });
  }

  /** Opens a connection from here. @throws {Error} with the system's code, such as `ECONNREFUSED` */
  async connect(end: End): Promise<Socket> {
    const socket = createConnection(join(this.#folder, "door"));
    await once(socket, "connect");
    socket.write(`${JSON.stringify(end)}\n`);
    const [first] = await Promise.race([
      once(socket, "data"),
      once(socket, "close").then(() => [Buffer.from("-CLOSED")]),
    ]);
    const text = String(first);
    if (!text.startsWith("+")) throw new Error(text.slice(1));
    if (first.length > 1) socket.unshift(first.subarray(1));
    return socket;
  }

  /** Makes an HTTP call from here and reads its answer. @throws {Error} as `connect` does */
  async call(url: string, { method = "GET", headers = {}, body, from }: PlaceCall = {}) {
    const { hostname, port } = new URL(url);
    const end = { host: hostname.replaceAll(/[[\]]/g, ""), port: Number(port || 80) };
    const socket = await this.connect(from === undefined ? end : { ...end, from });
    return new Promise<PlaceAnswer>((resolve, reject) => {
      const agent = new Agent();
      Reflect.set(agent, "createConnection", (): Duplex => socket);
      const sent = request(url, { method, headers: { connection: "close", ...headers }, agent });
      sent.on("error", reject).on("response", (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece)).on("error", reject);
        answer.on("end", () => {
          socket.destroy();
          const whole = Buffer.concat(pieces);
          const { statusCode = 0 } = answer;
          resolve({
            status: statusCode,
            headers: answer.headers,
            body: whole,
            text: String(whole),
          });
        });
      });
      sent.end(body);
    });
  }

  /** Starts a Chromium here, which the caller closes. */
  async chromium(): Promise<Browser> {
    const program = findChromium();
    if (program === undefined) throw new Error("There is no Chromium.");
    const executablePath = join(this.#folder, "chromium");
    const words = [...this.within, program].map((word) => `'${word}'`).join(" ");
    await writeFile(executablePath, `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(executablePath, 0o755);
    return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#door, "exit");
    this.#door.stdin?.end();
    if (this.#door.exitCode === null && this.#door.signalCode === null) await ended;
    await rm(this.#folder, { recursive: true });
  }
}
