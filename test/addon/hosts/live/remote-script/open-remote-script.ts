import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeSetGiven } from "./fake-live-set.ts";
import { type FakeLive, openFakeLive } from "./fake-live.ts";

const SCRIPT = join(
  import.meta.dirname,
  "../../../../../addon/hosts/live/remote-script/Soundferry",
);

export interface OpenRemoteScriptOptions {
  readonly habits?: Partial<FakeHabits>;
  readonly set?: FakeSetGiven;
  /** The folder of an earlier script, for a Live that starts again. */
  readonly home?: RemoteScriptHome;
}

/** Folders of one installation. */
export interface RemoteScriptHome {
  /** The script's parent. */
  readonly scriptFolder: string;
  /** The folder in which the script writes its port file. */
  readonly dataFolder: string;
  readonly soundsFolder: string;
}

export interface OpenRemoteScript extends AsyncDisposable {
  readonly live: FakeLive;
  readonly host: ControlSurfaceHost;
  readonly home: RemoteScriptHome;
}

/** The real script in a fake Live that stands still, and the real host that finds it. */
export async function openRemoteScript({
  home: earlier,
  ...options
}: OpenRemoteScriptOptions = {}): Promise<OpenRemoteScript> {
  const home = earlier ?? (await installScript());
  const pythonPath = process.env["TEST_PYTHON"] ?? "python3";
  const live = await openFakeLive({ ...options, pythonPath, scriptFolder: home.scriptFolder });
  const { dataFolder, soundsFolder } = home;
  const host = new ControlSurfaceHost({ folders: [dataFolder], soundsFolder });
  const close = async (): Promise<void> => {
    host.close();
    await live.kill();
  };
  return { live, host, home, [Symbol.asyncDispose]: close };
}

async function installScript(): Promise<RemoteScriptHome> {
  const folder = await temporaryFolder();
  const home = {
    scriptFolder: join(folder, "Remote Scripts"),
    dataFolder: join(folder, "importer"),
    soundsFolder: join(folder, "Sounds"),
  };
  await cp(SCRIPT, join(home.scriptFolder, "Soundferry"), {
    recursive: true,
    filter: (path) => !path.includes("__pycache__"),
  });
  await mkdir(home.dataFolder);
  await mkdir(home.soundsFolder);
  const folders = JSON.stringify({ folders: [home.dataFolder] });
  await writeFile(join(home.scriptFolder, "Soundferry", "folders.json"), folders);
  return home;
}
