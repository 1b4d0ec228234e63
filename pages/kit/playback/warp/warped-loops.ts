import { KeptSounds, MAX_SAMPLES, samplesOf } from "../sound-buffers.ts";
import { renderCycle } from "./render-cycle.ts";
import { StretchModule } from "./stretch.ts";
import type { WarpMethod } from "./warp-method.ts";

/** A loop to render at another tempo. */
export interface WarpJob {
  /** Key of the sound and its revision. */
  readonly soundKey: string;
  readonly sound: AudioBuffer;
  readonly method: WarpMethod;
  /** One cycle, in frames of the sound. */
  readonly loopFrames: number;
  /** One cycle at the wanted tempo. */
  readonly passFrames: number;
}

const MOST_AT_ONCE = 4;
/** Time limit for a module that has started once before. */
const RESTART_LIMIT_MS = 20_000;

type IsWanted = () => boolean;

interface Rendering {
  readonly done: Promise<void>;
  /** One check for each caller that asked for the loop. */
  readonly wantedBy: IsWanted[];
}

/** Renders loops at other tempos, each once, and keeps the latest (rule V10). */
export class WarpedLoops {
  readonly #module = new StretchModule();
  readonly #kept = new KeptSounds<AudioBuffer>(MAX_SAMPLES, samplesOf);
  readonly #renderings = new Map<string, Rendering>();
  readonly #failed = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  /** The loop at its new tempo, if it has been rendered. */
  find(job: WarpJob): AudioBuffer | undefined {
    return this.#kept.get(keyOf(job));
  }

  /** Checks whether the loop can't be rendered at all, so that it must be repitched. */
  isImpossible(job: WarpJob): boolean {
    return this.#module.isUnavailable || this.#failed.has(keyOf(job));
  }

  /**
   * Renders a loop. Resolves when `find` returns it, when it turns out to be impossible, or when nobody wants it any
   * more.
   * @param isWanted called when its turn comes
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
      // `isImpossible` reports it.
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
