import type { Host } from "./host.ts";

/** Factories of hosts by name, called on first use. */
export type OtherHosts = ReadonlyMap<string, () => Promise<Host>>;

/** An importer's hosts: its own, and others that an import can name (rule R7). */
export class HostRegistry {
  readonly own: Host;
  readonly #others: OtherHosts;
  readonly #opened = new Map<string, Promise<Host>>();

  constructor(own: Host, others: OtherHosts = new Map()) {
    this.own = own;
    this.#others = others;
  }

  /**
   * Returns the same host for each call with a name; retries a factory that failed.
   * @param name undefined for the importer's own
   * @throws {Error} with a sentence when there is no such host
   */
  async open(name: string | undefined): Promise<Host> {
    if (name === undefined || name === this.own.name) return this.own;
    const make = this.#others.get(name);
    if (make === undefined)
      throw new Error(noSuchHost(name, [this.own.name, ...this.#others.keys()]));
    const opened = this.#opened.get(name) ?? make();
    this.#opened.set(name, opened);
    opened.catch(() => this.#opened.delete(name));
    return opened;
  }
}

function noSuchHost(name: string, known: readonly string[]): string {
  return (
    `The running importer can import into ${known.join(", ")}, but not into ${name}. ` +
    "Stop it first, or set SOUNDFERRY_IMPORTER_DATA to another folder."
  );
}
