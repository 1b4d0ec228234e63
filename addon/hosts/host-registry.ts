import type { Host } from "./host.ts";

/** What makes a host when it is first asked for, by the word that people ask for it with. */
export type OtherHosts = ReadonlyMap<string, () => Promise<Host>>;

/** The hosts that an importer can place into: its own, and others that an import may name (rule R7). */
export class HostRegistry {
  readonly own: Host;
  readonly #others: OtherHosts;
  readonly #opened = new Map<string, Promise<Host>>();

  constructor(own: Host, others: OtherHosts = new Map()) {
    this.own = own;
    this.#others = others;
  }

  /**
   * Gives the same host each time that a name is asked for; one that could not be made is tried anew.
   * @param name undefined for the importer's own
   * @throws {Error} with a sentence when there is no such host here
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
