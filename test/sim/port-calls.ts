/** The calls that one process, or one caller in it, makes to its stores. Each has a point before and one after it. */
export abstract class PortCalls {
  /** Passes a point, or waits there. */
  abstract pass(where: string): Promise<void>;

  /** The port as this process uses it. The calls of a writer or a file that it opens are counted, too. */
  of<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function" || typeof property === "symbol") return value;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        const full = `${name}.${property}`;
        if (LISTS.has(full)) return (...args: unknown[]) => this.#list(full, () => call(...args));
        return (...args: unknown[]) => this.#call(full, () => call(...args));
      },
    });
  }

  async #call(name: string, call: () => unknown): Promise<unknown> {
    await this.pass(`before ${name}`);
    const result = await call();
    await this.pass(`after ${name}`);
    if (typeof result !== "object" || result === null) return result;
    if (name === "sounds.create") return this.of("writer", result);
    if (name === "files.open") return this.of("file", result);
    const resumed: unknown = name === "sounds.resume" ? Reflect.get(result, "writer") : undefined;
    return resumed instanceof Object ? { ...result, writer: this.of("writer", resumed) } : result;
  }

  async *#list(name: string, call: () => unknown): AsyncIterable<unknown> {
    await this.pass(`before ${name}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ports' lists are async iterables
    yield* call() as AsyncIterable<unknown>;
    await this.pass(`after ${name}`);
  }
}

/** The calls that return a list at once, which is read while it is iterated. */
const LISTS: ReadonlySet<string> = new Set(
  ["keys", "list", "listQuarantined"].map((call) => `sounds.${call}`),
);
