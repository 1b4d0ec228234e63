import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HURRIED_SWEEPS, ROOMY_LIMITS, SHIFTED_DATE } from "../sim/settings.ts";

const COMMAND = join(import.meta.dirname, "..", "..", "cli", "soundferry.ts");
const PRELOAD = [HURRIED_SWEEPS, SHIFTED_DATE].flatMap((path) => [
  "--import",
  pathToFileURL(path).href,
]);

export interface Ending {
  /** Exit status; null if a signal ended it. */
  readonly status: number | null;
  readonly stderr: string;
}

/** `soundferry relay` ended before it served. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`The relay ended with ${ending.status}:\n${ending.stderr}`);
    this.ending = ending;
  }
}

/** `soundferry relay` in a process of its own, whose sweeps come every second. */
export class RelayCommand {
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  stderr = "";
  url = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve({ status, stderr: this.stderr }));
    });
  }

  /**
   * @param within the program, with its first words, that runs the relay
   * @throws {StartRefused} if it ends before it serves
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    within: readonly string[] = [],
  ): Promise<RelayCommand> {
    const [program = "", ...words] = [
      ...within,
      process.execPath,
      ...PRELOAD,
      COMMAND,
      "relay",
      "--json",
    ];
    const env = {
      ...ROOMY_LIMITS,
      PATH: process.env["PATH"] ?? "",
      HOME: environment["SOUNDFERRY_DATA"] ?? "",
      NODE_COMPILE_CACHE: join(tmpdir(), "soundferry-test-compile-cache"),
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_MIN_FREE_BYTES: "0",
      SOUNDFERRY_BALLAST_BYTES: String(1024 ** 2),
      ...environment,
    };
    const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"] });
    const command = new RelayCommand(child);
    const printed = new Promise<string>((resolve) => {
      child.stdout?.setEncoding("utf8").once("data", resolve);
    });
    const first = await Promise.race([printed, command.ended]);
    // A failure is printed as JSON too.
    const url: unknown = typeof first === "string" ? JSON.parse(first).url : undefined;
    if (typeof url !== "string") throw new StartRefused(await command.ended);
    command.url = url;
    return command;
  }

  /** Ends it as a service manager does, or with another signal. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> {
    this.#child.kill(signal);
    return this.ended;
  }
}
