import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import type { FromLive, ToLive } from "./live-messages.ts";
import { LIVE_NODE } from "./live-node.ts";
import type { PanelStart, PanelState } from "../../../core/protocol/panel-api.ts";

type Message<Kind extends FromLive["kind"]> = Extract<FromLive, { kind: Kind }>;

/**
 * A process that plays Live with a built extension. It may read its program, and read and write three
 * folders: the extension's storage, its temporary files, and the Live project, which belongs to Live.
 */
export class LiveProcess implements AsyncDisposable {
  readonly storageFolder: string;
  readonly #child: ChildProcess;
  readonly #messages = new EventEmitter();
  readonly #ended: Promise<unknown[]>;
  #stderr = "";

  private constructor(child: ChildProcess, storageFolder: string) {
    this.storageFolder = storageFolder;
    this.#child = child;
    this.#ended = once(child, "exit");
    child.stderr?.on("data", (piece) => {
      this.#stderr += String(piece);
    });
    child.on("message", (message: FromLive) => this.#messages.emit(message.kind, message));
  }

  /**
   * @param folder a real path, without symbolic links, for this test alone
   * @param code the extension
   */
  static async start(folder: string, code: string): Promise<LiveProcess> {
    const [program, extension, live] = ["live.cjs", "extension.js", "Live"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await Promise.all([
      writeFile(program, await bundleProgram()),
      writeFile(extension, code),
      mkdir(live, { recursive: true }),
    ]);
    const storage = join(live, "Extension Storage");
    const own = [storage, join(live, "Extension Temp"), join(live, "Set Project")];
    const granted = own.flatMap((path) => [path, join(path, "*")]);
    const child = spawn(
      LIVE_NODE,
      [
        "--permission",
        ...[program, extension, ...granted].map((path) => `--allow-fs-read=${path}`),
        ...granted.map((path) => `--allow-fs-write=${path}`),
        program,
        extension,
        live,
      ],
      { env: {}, stdio: ["ignore", "inherit", "pipe", "ipc"] },
    );
    return new LiveProcess(child, storage);
  }

  /** Clicks on a command in the menu of a scene, counted from 0. */
  click(title: string, scene: number): void {
    this.#send({ kind: "click", title, scene });
  }

  /** Answers the open dialog. */
  answer(text: string): void {
    this.#send({ kind: "answer", text });
  }

  async look(): Promise<Message<"picture">> {
    const picture = this.next("picture");
    this.#send({ kind: "look" });
    return picture;
  }

  /**
   * The next message of this kind from Live.
   * @throws {Error} with its output if it ends before that
   */
  async next<Kind extends FromLive["kind"]>(kind: Kind): Promise<Message<Kind>> {
    const ended = this.#ended.then(() => {
      throw new Error(`Live ended: ${this.#stderr}`);
    });
    const [message] = (await Promise.race([once(this.#messages, kind), ended])) as [Message<Kind>];
    return message;
  }

  /** Ends it as Live does; returns the signal that killed it, and its output. */
  async end(): Promise<{ readonly signal: unknown; readonly stderr: string }> {
    this.#child.kill("SIGTERM");
    const [, signal] = await this.#ended;
    return { signal, stderr: this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #send(message: ToLive): void {
    this.#child.send(message);
  }
}

async function bundleProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "live-program.ts")],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node24",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** The `PanelStart` in a dialog's page. */
export function readPanelStart(url: string): PanelStart {
  const page = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("utf8");
  const written = /<script\b[^>]*\bid="start"[^>]*>([^<]*)<\/script>/.exec(page)?.[1];
  if (written === undefined) throw new Error(`No panel: ${page}`);
  return JSON.parse(written);
}

/** The calls of a page in Live's dialog: from the origin `null`, with its secret. */
export class OpenedPanel {
  readonly start: PanelStart;

  constructor(url: string) {
    this.start = readPanelStart(url);
  }

  /** @throws {Error} when it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  async call(method: string, path: string, body?: object): Promise<any> {
    return (await this.#open(method, path, body)).json();
  }

  async #open(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(this.start.address + path, {
      method,
      headers: { origin: "null", "x-soundferry-secret": this.start.secret },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  }

  /** Follows the importer's state until it is as wanted. */
  async until(isWanted: (state: PanelState) => boolean): Promise<PanelState> {
    const { body } = await this.#open("GET", "/control/state");
    let text = "";
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      const states = lines.map((line): PanelState => JSON.parse(line));
      const wanted = states.find((state) => "packages" in state && isWanted(state));
      if (wanted !== undefined) return wanted;
    }
    throw new Error("The stream of states ended.");
  }
}
