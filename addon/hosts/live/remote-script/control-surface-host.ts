import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { REAL_TIMERS } from "../../../timers.ts";
import { WRITE_SCENE_TEMPO } from "../../host-settings.ts";
import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import type { Host, HostAbilities, PlaceRequest, SessionRoom } from "../../host.ts";
import { LiveLimits } from "./live-limits.ts";
import { LiveWatch } from "./live-watch.ts";
import type { LateLook } from "./late-look.ts";
import { SurfacePlacement, type SurfacePlacementDeps } from "./surface-placement.ts";

/** Everything that a placement needs; timers and pauses are real by default. */
export type ControlSurfaceHostDeps = Omit<
  SurfacePlacementDeps,
  "timers" | "pause" | "limits" | "preferred" | "connectionTo"
> &
  Partial<Pick<SurfacePlacementDeps, "timers" | "pause">> & {
    /** The importer's data folder, which keeps Live's limits (rule H23); without it they are forgotten at the end. */
    readonly dataFolder?: string;
  };

/** Ableton Live, any edition, through the Soundferry control surface; see docs/use/live.md. */
export class ControlSurfaceHost implements Host {
  readonly name = "live";
  readonly can: HostAbilities = { resumes: true, reusesTracks: true };
  readonly settings = [WRITE_SCENE_TEMPO];
  readonly #deps: SurfacePlacementDeps;
  readonly #watch: LiveWatch;
  readonly #limits: LiveLimits;
  /** The finished placements that nobody has followed yet, by run id. */
  readonly #lateLooks = new Map<string, LateLook>();

  constructor({ dataFolder, ...deps }: ControlSurfaceHostDeps) {
    const limits = new LiveLimits(dataFolder && join(dataFolder, "limits.json"));
    const { timers = REAL_TIMERS, pause = (ms: number) => sleep(ms) } = deps;
    this.#limits = limits;
    this.#watch = new LiveWatch(deps.folders, timers);
    const preferred = () => this.#watch.client?.secret;
    const connectionTo = (secret: string) => this.#watch.connectionTo(secret);
    this.#deps = { ...deps, timers, pause, limits, preferred, connectionTo };
  }

  async isReady(): Promise<boolean> {
    return (await this.#watch.find())?.welcome.makesClips === true;
  }

  get whenNotReady(): string {
    return this.#watch.trouble;
  }

  /** Names the Live that answered last, such as `Live 12.1.5 Standard`. */
  describe(): string {
    return this.#watch.describe();
  }

  async readTempo(): Promise<number | null> {
    return (await this.#watch.look())?.tempo ?? null;
  }

  /** Returns the room that the Set has by what this Live refused before; null until it has (rule H23). */
  async readRoom(): Promise<SessionRoom | null> {
    const live = (await this.#watch.find())?.welcome;
    const limit = live && (await this.#limits.read(live, "tracks"));
    // A look at a large Set costs Live time, and only small editions have limits.
    const look = limit === undefined ? null : await this.#watch.look();
    if (limit === undefined || look === null) return null;
    const tracks = limit - look.tracks.length;
    return tracks < 0 ? null : { tracks };
  }

  async place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    const { placed, lateLook } = await new SurfacePlacement(this.#deps, request).run();
    if (lateLook !== undefined) this.#lateLooks.set(request.journal.runId, lateLook);
    return placed;
  }

  async *follow(runId: string, signal: AbortSignal): AsyncIterable<readonly PlacedSound[]> {
    const lateLook = this.#lateLooks.get(runId);
    this.#lateLooks.delete(runId);
    if (lateLook !== undefined) yield* lateLook.follow(signal);
  }

  /** Closes the connections that watch whether Live is there. */
  close(): void {
    this.#watch.close();
  }
}
