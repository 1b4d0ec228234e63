import type { Host, HostAbilities, HostPlace, PlacedSound, PlaceRequest } from "../../host.ts";
import type { LiveContext } from "./live-api.ts";
import { CORRECT_TEMPO } from "../../live-settings.ts";
import { placeInLive } from "./placement.ts";
import { findScenePlace } from "./scene-place.ts";
import { readNumber } from "./live-values.ts";

/** Ableton Live, through its Extensions SDK; see docs/use/live.md. */
export class LiveHost implements Host {
  readonly name = "live";
  readonly can: HostAbilities = { copiesFiles: true, resumes: false };
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
