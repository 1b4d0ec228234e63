import { PortCalls } from "./port-calls.ts";

/**
 * The calls that one process makes to its stores. At a chosen point the process stops: that call and every later one
 * never resolves. Points are counted from 0; each call has two, before it and after it took effect.
 */
export class StoppingCalls extends PortCalls {
  /** The points at which something is other than at the point before: a stop at the others leaves the same. */
  readonly distinct: number[] = [];
  readonly #stopAt: number;
  readonly #look: () => string;
  #seen: string | undefined;
  readonly #stopped = Promise.withResolvers<string>();
  #hasStopped = false;
  #points = 0;

  /** @param look describes all that a stop could leave: two points are alike where it gives the same */
  constructor(stopAt = Infinity, look: () => string = () => String(this.#points)) {
    super();
    this.#stopAt = stopAt;
    this.#look = look;
  }

  /** Number of points that were passed. */
  get points(): number {
    return this.#points;
  }

  /** Resolves with the call's name when the process stops. */
  get stopped(): Promise<string> {
    return this.#stopped.promise;
  }

  /** Passes a point, or stops there. */
  override async pass(where: string): Promise<void> {
    if (!this.#hasStopped && this.#points === this.#stopAt) {
      this.#hasStopped = true;
      this.#stopped.resolve(where);
    }
    if (this.#hasStopped) await new Promise<never>(() => {});
    const seen = this.#look();
    if (seen !== this.#seen) this.distinct.push(this.#points);
    this.#seen = seen;
    this.#points += 1;
  }
}
