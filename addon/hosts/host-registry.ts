import { type Timers, withDeadline } from "../timers.ts";
import type { Host } from "./host.ts";
import { capitalized } from "../../core/text/capitalized.ts";

/** Factories of hosts by name, called on first use. */
export type OtherHosts = ReadonlyMap<string, () => Promise<Host>>;

/** The time after which a host that hasn't answered isn't ready. */
const READY_LIMIT_MS = 1000;

interface HostRegistryDeps {
  /** The importer's own hosts, in order of preference. */
  readonly preferred?: readonly Host[] | undefined;
  /** The importer's own host that is used if no other is ready. */
  readonly lastResort: Host;
  readonly others?: OtherHosts | undefined;
  readonly timers: Timers;
}

export interface HostChoice {
  readonly host: Host;
  /** False only for the last resort, which can be chosen without being ready. */
  readonly isReady: boolean;
}

/** The hosts of an importer: its own (rule R9), and others that an import can name (rule R7). */
export class HostRegistry {
  /** The importer's own hosts, in order of preference; the last resort is the last. */
  readonly own: readonly Host[];
  readonly lastResort: Host;
  readonly #others: OtherHosts;
  readonly #timers: Timers;
  readonly #opened = new Map<string, Promise<Host>>();

  constructor({ preferred = [], lastResort, others = new Map(), timers }: HostRegistryDeps) {
    this.own = [...preferred, lastResort];
    this.lastResort = lastResort;
    this.#others = others;
    this.#timers = timers;
  }

  /** Chooses the first ready one of the own hosts, or else the last resort. */
  choose(): Promise<HostChoice> {
    return this.#choose(this.own.slice(0, -1), this.lastResort);
  }

  /**
   * Opens the host with a name. Each call with that name returns the same host; a factory that failed is retried.
   * @throws {HostNotReadyError} when the host doesn't answer
   * @throws {Error} with a sentence when there is no such host
   */
  async open(name: string): Promise<Host> {
    const named = this.own.filter((host) => host.name === name);
    const last = named.pop() ?? (await this.#openOther(name));
    return readyHost(await this.#choose(named, last));
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    const others = opened.flatMap((made) => (made.status === "fulfilled" ? [made.value] : []));
    for (const host of [...this.own, ...others]) host.close?.();
  }

  async #choose(hosts: readonly Host[], last: Host): Promise<HostChoice> {
    for (const host of hosts) if (await this.#isReady(host)) return { host, isReady: true };
    return { host: last, isReady: await this.#isReady(last) };
  }

  async #isReady(host: Host): Promise<boolean> {
    if (host.isReady === undefined) return true;
    try {
      return await withDeadline(host.isReady(), {
        ms: READY_LIMIT_MS,
        late: () => new Error(`${host.name} didn't answer in time.`),
        signal: new AbortController().signal,
        timers: this.#timers,
      });
    } catch {
      // A host that fails to answer isn't ready.
      return false;
    }
  }

  async #openOther(name: string): Promise<Host> {
    const make = this.#others.get(name);
    const known = new Set([...this.own.map((host) => host.name), ...this.#others.keys()]);
    if (make === undefined) throw new Error(noSuchHost(name, [...known]));
    const opened = this.#opened.get(name) ?? make();
    this.#opened.set(name, opened);
    opened.catch(() => this.#opened.delete(name));
    return opened;
  }
}

/**
 * Returns the chosen host.
 * @throws {HostNotReadyError} when it doesn't answer
 */
export function readyHost({ host, isReady }: HostChoice): Host {
  if (!isReady) throw new HostNotReadyError(host);
  return host;
}

function noSuchHost(name: string, known: readonly string[]): string {
  return (
    `The running importer can import into ${known.join(", ")}, but not into ${name}. ` +
    "Stop it first, or set SOUNDFERRY_IMPORTER_DATA to another folder."
  );
}

/** The host of an import doesn't answer (rule R9); nothing was taken. */
export class HostNotReadyError extends Error {
  override readonly name = "HostNotReadyError";
  readonly code = "HOST_NOT_READY";

  constructor(host: Host) {
    super(notReadySentence(host));
  }
}

/** Returns advice about a host that isn't ready, in a sentence. */
export function notReadySentence(host: Host): string {
  return host.whenNotReady ?? `${hostLabel(host)} doesn't answer.`;
}

/** Returns the host's own words for people, or else its name, such as `Preview`. */
export function hostLabel(host: Pick<Host, "name" | "describe">): string {
  return host.describe?.() ?? capitalized(host.name);
}
