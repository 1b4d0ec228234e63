import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Engine } from "./engine.ts";

/** The command of a cluster's relay and its surroundings. */
export interface RelayProgram {
  /** Folder of its own, for its log and its clock. */
  readonly folder: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  /** The checkout that it runs from. Default: this one. */
  readonly checkout?: string;
  /** Files that are loaded before it. */
  readonly preload?: readonly string[];
}

/** `soundferry relay` in a process of its own, at a port that stays the same. */
export class RelayProcess extends Engine {
  readonly url: string;
  readonly logPath: string;

  constructor(program: RelayProgram) {
    const { folder, port, settings, preload = [] } = program;
    const checkout = program.checkout ?? join(import.meta.dirname, "../..");
    const url = `http://127.0.0.1:${port}`;
    const logPath = join(folder, "relay.log");
    super({
      name: "The relay",
      command: [
        process.execPath,
        ...preload.flatMap((path) => ["--import", pathToFileURL(path).href]),
        join(checkout, "cli/soundferry.ts"),
        "relay",
        "--json",
      ],
      folder,
      // Lets uploads and imports end.
      stopSignal: "SIGTERM",
      isReady: () => isReady(url),
      environment: {
        ...settings,
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        SOUNDFERRY_DATA: join(folder, "relay"),
        SOUNDFERRY_HOST: "127.0.0.1",
        SOUNDFERRY_PORT: String(port),
      },
      logPath,
    });
    this.url = url;
    this.logPath = logPath;
  }

  /** Reads the errors that it logged, one JSON object a line. */
  async errors(): Promise<readonly string[]> {
    const text = await readFile(this.logPath, "utf8").catch(() => "");
    return text
      .split("\n")
      .filter((line) => /"level":[56]0/.test(line) && !line.includes(`"status":503`));
  }

  /** @param folder of all relays */
  static async in(folder: string, program: Omit<RelayProgram, "folder">): Promise<RelayProcess> {
    const own = join(folder, `relay-${program.port}`);
    await mkdir(own, { mode: 0o700 });
    return new RelayProcess({ ...program, folder: own });
  }
}

/** Asks a relay, or the proxy before several. @throws unless it is ready */
export async function isReady(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`/readyz answers ${answer.status}.`);
}
