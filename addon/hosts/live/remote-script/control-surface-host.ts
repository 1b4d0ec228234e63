import { setTimeout as sleep } from "node:timers/promises";
import { REAL_TIMERS } from "../../../timers.ts";
import { type Timers } from "../../../../core/timers.ts";
import { WRITE_SCENE_TEMPO } from "../../host-settings.ts";
import type { Host, HostAbilities, PlacedSound, PlaceRequest } from "../../host.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { UnreachableError } from "./control-surface-error.ts";
import { findControlSurface, QUICK_MS, WHEN_ABSENT } from "./find-control-surface.ts";
import { readLook } from "./outcome-message.ts";
import { SurfacePlacement, type SurfacePlacementDeps } from "./surface-placement.ts";

/** Everything that a placement needs; timers and pauses are real by default. */
export type ControlSurfaceHostDeps = Omit<SurfacePlacementDeps, "timers" | "pause"> &
  Partial<Pick<SurfacePlacementDeps, "timers" | "pause">>;

/** Ableton Live, any edition, through the Soundferry control surface; see docs/use/live.md. */
export class ControlSurfaceHost implements Host {
  readonly name = "live";
  readonly can: HostAbilities = { resumes: true, reusesTracks: true };
  readonly settings = [WRITE_SCENE_TEMPO];
  readonly whenNotReady = WHEN_ABSENT;
  readonly #deps: ControlSurfaceHostDeps;
  readonly #timers: Timers;
  /** A connection that stays open: while a menu is open in Live, nothing else shows that the control surface runs. */
  #watch: SurfaceClient | undefined;

  constructor(deps: ControlSurfaceHostDeps) {
    this.#deps = deps;
    this.#timers = deps.timers ?? REAL_TIMERS;
  }

  async isReady(): Promise<boolean> {
    return (await this.#watchClient()) !== undefined;
  }

  /** Names the Live that answered last, such as `Live 12.1.5 Standard`. */
  describe(): string {
    if (this.#watch === undefined) return "Live";
    const { live, edition } = this.#watch.welcome;
    return `Live ${live} ${edition}`;
  }

  async readTempo(): Promise<number | null> {
    const client = await this.#watchClient();
    if (client === undefined) return null;
    const { promise, resolve } = Promise.withResolvers<null>();
    const cancel = this.#timers.after(QUICK_MS, () => resolve(null));
    const asked = client.request("look").then((look) => readLook(look).tempo);
    return Promise.race([asked, promise]).finally(cancel);
  }

  place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    const pause = this.#deps.pause ?? ((ms: number) => sleep(ms));
    return new SurfacePlacement({ ...this.#deps, timers: this.#timers, pause }, request).run();
  }

  /** Closes the connection that watches whether Live is there. */
  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  async #watchClient(): Promise<SurfaceClient | undefined> {
    if (this.#watch?.isOpen === true) return this.#watch;
    const { folders } = this.#deps;
    const timers = this.#timers;
    try {
      const found = await findControlSurface({
        folders,
        soundFolders: [],
        patienceMs: QUICK_MS,
        timers,
      });
      this.#watch?.close();
      this.#watch = found;
      return found;
    } catch (error) {
      if (error instanceof UnreachableError) return undefined;
      throw error;
    }
  }
}
