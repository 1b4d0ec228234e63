/**
 * The calls that one process makes to its stores. At a chosen point the process stops: that call and every later one
 * never resolves. Points are counted from 0; each call has two, before it and after it took effect.
 */
export class StoppingCalls {
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

  /** The port as this process uses it. What `create` gives is counted too. */
  of<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function" || typeof property === "symbol") return value;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        const full = `${name}.${property}`;
        if (LISTS.has(full)) return () => this.#list(full, call);
        return (...args: unknown[]) => this.#call(full, () => call(...args));
      },
    });
  }

  async #call(name: string, call: () => unknown): Promise<unknown> {
    await this.pass(`before ${name}`);
    const result = await call();
    await this.pass(`after ${name}`);
    return name === "sounds.create" && typeof result === "object" && result !== null
      ? this.of("writer", result)
      : result;
  }

  async *#list(name: string, call: () => unknown): AsyncIterable<unknown> {
    await this.pass(`before ${name}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ports' lists are async iterables
    yield* call() as AsyncIterable<unknown>;
    await this.pass(`after ${name}`);
  }

  /** Passes a point, or stops there. */
  async pass(where: string): Promise<void> {
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

/** The calls that return a list at once, which is read while it is iterated. */
const LISTS: ReadonlySet<string> = new Set(
  ["keys", "list", "listQuarantined"].map((call) => `sounds.${call}`),
);
