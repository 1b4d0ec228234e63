import { KeptBuffers } from "../sound-buffers.ts";
import { renderCycle } from "./render-cycle.ts";
import { StretchModule } from "./stretch.ts";
import type { WarpMethod } from "./warp-method.ts";

/** A loop to be had at another tempo. */
export interface WarpJob {
  /** Identifies the sound and its revision. */
  readonly soundKey: string;
  readonly sound: AudioBuffer;
  readonly method: WarpMethod;
  /** One cycle, in frames of the sound. */
  readonly loopFrames: number;
  /** One cycle at the tempo wanted. */
  readonly passFrames: number;
}

const MOST_AT_ONCE = 4;
/** A module that has started once starts within this time, or not at all. */
const RESTART_LIMIT_MS = 20_000;

type IsWanted = () => boolean;

interface Rendering {
  readonly done: Promise<void>;
  /** Of each who asked for it. */
  readonly wantedBy: IsWanted[];
}

/** Renders loops at other tempos, each once, and keeps the latest (rule V10). */
export class WarpedLoops {
  readonly #module = new StretchModule();
  readonly #kept = new KeptBuffers();
  readonly #renderings = new Map<string, Rendering>();
  readonly #failed = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  /** The loop at its new tempo, if it has been rendered. */
  find(job: WarpJob): AudioBuffer | undefined {
    return this.#kept.get(keyOf(job));
  }

  /** Whether it can't be had at all, so that it has to be repitched. */
  isImpossible(job: WarpJob): boolean {
    return this.#module.isUnavailable || this.#failed.has(keyOf(job));
  }

  /**
   * Renders a loop. Resolves when `find` has it, when it turns out to be impossible, or when it isn't wanted any more.
   * @param isWanted asked when its turn comes
   */
  render(job: WarpJob, isWanted: IsWanted): Promise<void> {
    const key = keyOf(job);
    const known = this.#renderings.get(key);
    known?.wantedBy.push(isWanted);
    if (known !== undefined) return known.done;
    const wantedBy = [isWanted];
    const done = this.#render(key, job, () => wantedBy.some((isStillWanted) => isStillWanted()));
    const remove = (): unknown => this.#renderings.delete(key);
    this.#renderings.set(key, { wantedBy, done: done.finally(remove) });
    return done;
  }

  async #render(key: string, job: WarpJob, isWanted: IsWanted): Promise<void> {
    if (!(await this.#module.start())) return;
    await this.#freePlace();
    try {
      if (isWanted()) {
        this.#kept.keep(key, await renderCycle({ ...job, limitMs: RESTART_LIMIT_MS }));
      }
    } catch {
      // Said by `isImpossible`.
      this.#failed.add(key);
    } finally {
      this.#active -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #freePlace(): Promise<void> {
    const most = Math.min(MOST_AT_ONCE, navigator.hardwareConcurrency);
    while (this.#active >= most) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#active += 1;
  }
}

function keyOf({ soundKey, method, loopFrames, passFrames }: WarpJob): string {
  return JSON.stringify([soundKey, method, loopFrames, passFrames]);
}
