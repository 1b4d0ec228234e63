import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { writeCheckSounds } from "../../../../../addon/live-check/live-checker-of.ts";
import { runCheck } from "../../../../../addon/live-check/run-check.ts";
import { findControlSurface } from "../../../../../addon/hosts/live/remote-script/find-control-surface.ts";
import type { CheckTalk } from "../../../../../addon/hosts/live-setup.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeSetGiven } from "./fake-live-set.ts";
import { openFakeLive } from "./fake-live.ts";

const SCRIPT = join(import.meta.dirname, "../../../../../addon/hosts/live/remote-script");

export interface CheckedLiveOptions {
  readonly habits?: Partial<FakeHabits>;
  readonly set?: FakeSetGiven;
}

/** The real script in a fake Live, a sounds folder, and the way to check it; `home` is an empty folder. */
export async function openCheckedLive(
  home: string,
  { habits = {}, set = {} }: CheckedLiveOptions = {},
) {
  const folder = join(home, ".local/share/soundferry/importer");
  const soundsFolder = join(home, "Sounds");
  await mkdir(folder, { recursive: true });
  await mkdir(soundsFolder, { recursive: true });
  const live = await openFakeLive({
    scriptFolder: SCRIPT,
    pythonPath: process.env["TEST_PYTHON"] ?? "python3",
    habits: { realTickMs: 1, ...habits },
    set,
    env: { HOME: home },
  });
  await live.run();
  const check = async (talk: Partial<CheckTalk> = {}, names: readonly string[] = []) => {
    const { sounds, remove } = await writeCheckSounds(soundsFolder);
    const client = await findControlSurface({
      folders: [folder],
      soundFolders: [soundsFolder],
      patienceMs: 20_000,
    });
    try {
      return await runCheck({
        client,
        sounds,
        names,
        ask: async () => null,
        readLog: async () => null,
        onProgress: () => undefined,
        signal: new AbortController().signal,
        ...talk,
      });
    } finally {
      client.close();
      await remove();
    }
  };
  return { live, check, folder, soundsFolder, [Symbol.asyncDispose]: () => live.kill() };
}
