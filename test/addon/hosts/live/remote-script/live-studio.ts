import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import type { PlaceRequest } from "../../../../../addon/hosts/host.ts";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import type { Layout } from "../../../../../core/layout/layout.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { placeRequest } from "../../../../contracts/host/host-contract.ts";
import { type FakeLive, type FakeLiveOptions, openFakeLive } from "./fake-live.ts";
import { installScript } from "./install-script.ts";
import { type AudioOfSound, writeSilence } from "./sparse-wav.ts";

/** Pauses between two attempts to connect are shorter here. */
const PAUSE_MS = 20;

export type StudioOptions = Pick<FakeLiveOptions, "habits" | "set" | "pythonPath">;
type More = NonNullable<Parameters<typeof placeRequest>[1]>;

/** A musician's computer: the real script in a fake Live, and the real host that drives it. */
export interface LiveStudio {
  /** The folder of the port file. */
  readonly folder: string;
  readonly sounds: string;
  readonly live: FakeLive;
  readonly host: ControlSurfaceHost;
  /** A host of another start of the importer. */
  readonly newHost: (folders?: readonly string[]) => ControlSurfaceHost;
  /** Live is opened again after it ended. */
  readonly reopen: (options?: StudioOptions) => Promise<FakeLive>;
  /** A request for a layout whose files are all there; `audio` is 4 s at 8 kHz where nothing is given. */
  readonly request: (
    layout: Layout,
    more?: More & { readonly audio?: ReadonlyMap<string, AudioOfSound> },
  ) => Promise<PlaceRequest>;
}

/** Opens a fake Live that runs freely. It ends with the test. */
export async function liveStudio(options: StudioOptions = {}): Promise<LiveStudio> {
  const { scripts, folder, sounds } = await installScript(await temporaryFolder());
  const openLive = async (more: StudioOptions = options) => {
    const pythonPath = process.env["TEST_PYTHON"] ?? "python3";
    const live = await openFakeLive({ pythonPath, ...more, scriptFolder: scripts });
    onTestFinished(() => live.kill());
    await live.run();
    return live;
  };
  const newHost = (folders: readonly string[] = [folder]) => {
    const pause = (ms: number) => sleep(Math.min(ms, PAUSE_MS)).then(() => undefined);
    const host = new ControlSurfaceHost({ folders, pause });
    onTestFinished(() => host.close());
    return host;
  };
  let live = await openLive();
  return {
    folder,
    sounds,
    get live() {
      return live;
    },
    host: newHost(),
    newHost,
    reopen: async (more = options) => (live = await openLive(more)),
    request: async (layout, { audio = new Map(), ...more } = {}) => {
      const ids = layout.tracks.map(({ soundId }) => soundId);
      const files = new Map(ids.map((id) => [id, join(sounds, `${id}.wav`)]));
      await Promise.all([...files].map(([id, path]) => writeSilence(path, audio.get(id))));
      return placeRequest(layout, { files, ...more });
    },
  };
}

/** The sound with that id. @throws {Error} where it wasn't placed */
export function placedOf(placed: readonly PlacedSound[], soundId: string) {
  const sound = placed.find((each) => each.soundId === soundId);
  if (sound === undefined || !("holds" in sound)) {
    throw new Error(`${soundId} was not placed: ${JSON.stringify(sound)}`);
  }
  return sound;
}
