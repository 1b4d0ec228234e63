import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  ControlSurfaceHost,
  type ControlSurfaceHostDeps,
} from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import type { PlaceRequest } from "../../../../../addon/hosts/host.ts";
import type { Layout } from "../../../../../core/layout/layout.ts";
import { placeRequest } from "../../../../contracts/host/host-contract.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import type { StandInSet } from "./stand-in-set.ts";
import { StandInSurface, type StandInSurfaceOptions } from "./stand-in-surface.ts";
import { LOOP_WAV } from "../../with-files.ts";

export interface Studio {
  readonly folder: string;
  readonly surface: StandInSurface;
  readonly host: ControlSurfaceHost;
  /** Another importer's. */
  readonly otherHost: (deps: Partial<ControlSurfaceHostDeps>) => ControlSurfaceHost;
  readonly request: (
    layout: Layout,
    more?: Parameters<typeof placeRequest>[1],
  ) => Promise<PlaceRequest>;
  /** A new start of the control surface, on the same folder. */
  readonly restart: (options?: StandInSurfaceOptions, set?: StandInSet) => Promise<StandInSurface>;
}

export interface StudioOptions extends StandInSurfaceOptions {
  readonly deps?: Partial<ControlSurfaceHostDeps>;
  /** The content of each sound's file. */
  readonly wav?: Buffer;
}

/** A musician's computer: a control surface, a host that finds it, and a WAV for every sound. */
export async function surfaceStudio(options: StudioOptions = {}): Promise<Studio> {
  const { deps, wav = LOOP_WAV, ...habits } = options;
  const folder = await temporaryFolder();
  const surface = await StandInSurface.start(folder, habits);
  const otherHost = (more: Partial<ControlSurfaceHostDeps> = {}) =>
    new ControlSurfaceHost({
      folders: [join(folder, "nowhere"), folder],
      pause: () => setImmediate(),
      ...deps,
      ...more,
    });
  const host = otherHost();
  return {
    folder,
    surface,
    host,
    otherHost,
    request: async (layout, more = {}) => {
      const files = new Map(
        layout.tracks.map(({ soundId }) => [soundId, join(folder, `${soundId}.wav`)]),
      );
      for (const path of files.values()) await writeFile(path, wav);
      return placeRequest(layout, { files, ...more });
    },
    restart: (more = habits, set = surface.set) => StandInSurface.start(folder, more, set),
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
