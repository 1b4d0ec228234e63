import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { KillableProcess, StartRefused } from "./killable-process.ts";
import { HURRIED_SWEEPS, ROOMY_LIMITS, SHIFTED_DATE } from "./settings.ts";

/** `soundferry relay` in a process of its own, whose sweeps come every second. */
export class RelayCommand extends KillableProcess {
  #url = "";

  /**
   * @param within the program, with its first words, that runs the relay
   * @throws {StartRefused} if it ends before it serves
   */
  static async start(
    environment: Readonly<Record<string, string>>,
    within: readonly string[] = [],
  ): Promise<RelayCommand> {
    const command = new RelayCommand({
      script: join(import.meta.dirname, "..", "..", "cli", "soundferry.ts"),
      words: ["relay", "--json"],
      preload: [HURRIED_SWEEPS, SHIFTED_DATE],
      within,
      cacheFolder: join(tmpdir(), "soundferry-test-compile-cache"),
      environment: {
        ...ROOMY_LIMITS,
        HOME: environment["SOUNDFERRY_DATA"] ?? "",
        SOUNDFERRY_PORT: "0",
        SOUNDFERRY_MIN_FREE_BYTES: "0",
        SOUNDFERRY_BALLAST_BYTES: String(1024 ** 2),
        ...environment,
      },
    });
    // A failure is printed as JSON too, in several lines.
    const printed = parseJson(await command.start());
    if (!isJsonObject(printed)) throw new StartRefused(await command.ended);
    command.#url = String(printed["url"]);
    return command;
  }

  get url(): string {
    return this.#url;
  }
}
