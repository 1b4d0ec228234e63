import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import type { Host, HostAbilities, HostPlace, PlaceRequest } from "../../host.ts";
import type { LiveContext } from "./live-api.ts";
import { CORRECT_TEMPO } from "../../host-settings.ts";
import { placeInLive } from "./placement.ts";
import { findScenePlace, indexOfPlace } from "./scene-and-tracks.ts";
import { readNumber } from "./live-values.ts";
import { importIntoProject } from "./sound-file.ts";
import { ControlSurfaceHost } from "../remote-script/control-surface-host.ts";

/** Ableton Live, through its Extensions SDK; see docs/use/live.md. */
export class LiveHost implements Host {
  readonly name = "live";
  readonly can: HostAbilities = { resumes: false };
  readonly settings = [CORRECT_TEMPO];
  readonly #live: LiveContext;

  constructor(live: LiveContext) {
    this.#live = live;
  }

  place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    return placeInLive(this.#live, request);
  }

  async readTempo(): Promise<number | null> {
    return readNumber(() => this.#live.application.song.tempo) ?? null;
  }

  /**
   * Returns the place right below the lowest of the clicked objects.
   * @param scenesOrSlots Live's scenes and clip slots
   * @returns undefined where none of them is found in the Set
   */
  placeBelow(...scenesOrSlots: readonly unknown[]): HostPlace | undefined {
    return findScenePlace(this.#live.application.song, scenesOrSlots);
  }
}

/**
 * Builds the control surface's host for Live's extension (rule H17): the extension copies each file into the
 * project and knows the clicked scene, and the control surface places.
 * @param granted the folder in which the control surface writes its port file
 * @param dataFolder that of the importer, which keeps Live's limits
 */
export function surfaceInLive(
  live: LiveContext,
  granted: string,
  dataFolder?: string,
): ControlSurfaceHost {
  return new ControlSurfaceHost({
    folders: [granted],
    ...(dataFolder !== undefined && { dataFolder }),
    bringFile: (path) => importIntoProject(live, path),
    rowOf: (place) => indexOfPlace(live.application.song, place),
  });
}
