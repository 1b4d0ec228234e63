import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";
import { PythonProcess, runPython, type PythonRun } from "./run-python.ts";

/** The command of an app, a code to pair it with, and sounds to send. */
export async function commandOf(relay: RunningRelay, url = relay.url) {
  const folder = await temporaryFolder();
  const env = { SOUNDFERRY_APP_DATA: join(folder, "app") };
  const words = (action: string, ...more: readonly string[]) => [
    "-m",
    "soundferry",
    action,
    ...more,
    "--relay",
    url,
  ];
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  return {
    importer,
    env,
    code: String(json.code),
    token: async (): Promise<string> => {
      const tokens = await readFile(join(env.SOUNDFERRY_APP_DATA, "tokens.json"), "utf8");
      return String(Object.values(JSON.parse(tokens))[0]);
    },
    write,
    run: (action: string, ...more: readonly string[]): Promise<PythonRun> =>
      runPython(words(action, ...more), env),
    start: (action: string, ...more: readonly string[]): PythonProcess =>
      new PythonProcess(words(action, ...more), env),
  };
}

/** Reads the package's id in a command's output. */
export function packageIn({ stderr }: { readonly stderr: string }): string {
  return /Package (pkg_\S+):/.exec(stderr)?.[1] ?? "";
}
