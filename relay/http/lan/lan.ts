import { isDeepStrictEqual } from "node:util";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { nameOfAddress } from "../../../core/protocol/judge-host.ts";
import { lanSentence } from "../../../core/protocol/lan-sentences.ts";
import { LAN_OFF, type LanState } from "../../../core/protocol/panel-lan.ts";
import { newMutex } from "../../../core/mutex.ts";
import type { Timers } from "../../../core/timers.ts";
import { LanListener } from "./lan-listener.ts";
import { OWN_NETWORKS, type OwnNetworks } from "./own-networks.ts";

/** Time between two looks at the networks, which come and go. */
const LOOK_MS = 5000;
/** A name is looked up at every sixth look, and when the addresses change: some systems ask the network each time. */
const LOOKS_A_LOOKUP = 6;

export interface LanOptions {
  /** The relay's own server, which listens already. */
  readonly server: Server;
  readonly scheme: "http" | "https";
  /** The computer's name in its network, such as `studio.local`. */
  readonly name: string;
  readonly timers: Timers;
  /** The computer's own by default. */
  readonly networks?: OwnNetworks | undefined;
}

/** Keeps the relay reachable at the private addresses of this computer while it is on (rules LAN1 and LAN2). */
export class Lan {
  readonly #options: LanOptions;
  readonly #networks: OwnNetworks;
  readonly #listeners = new Set<() => void>();
  readonly #listener: LanListener;
  readonly #runExclusive = newMutex();
  readonly #bound: { readonly address: string; readonly port: number };
  #state = LAN_OFF;
  #own: ReadonlySet<string> = new Set();
  #named: ReadonlySet<string> = new Set();
  #looks = 0;
  #cancelLook = () => {};

  constructor(options: LanOptions) {
    this.#options = options;
    const { server, networks = OWN_NETWORKS } = options;
    this.#networks = networks;
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("The relay has no port.");
    this.#bound = bound;
    const onConnection = (address: string) => this.#noteVisitor(address);
    this.#listener = new LanListener({ server, port: bound.port, onConnection });
  }

  get state(): LanState {
    return this.#state;
  }

  /** Calls the listener after each change; the returned function unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Starts or stops to listen in the local network. Resolves when the state says what came of it. */
  turn(isOn: boolean): Promise<void> {
    return this.#runExclusive(async () => {
      if (isOn === this.#state.isOn || this.#state.fixedBecause !== null) return;
      this.#cancelLook();
      this.#change({ ...LAN_OFF, isOn });
      if (isOn) await this.#look();
      else await this.#listener.listenAt([]);
    });
  }

  /** Shows the addresses of a relay that somebody told to listen there (rule LAN1). */
  async showFixed(): Promise<void> {
    const { address } = this.#bound;
    const onConnection = ({ remoteAddress = "" }: Socket) => this.#noteVisitor(remoteAddress);
    this.#options.server.on("connection", onConnection);
    this.#change({ fixedBecause: lanSentence("LAN_SET", { address }) });
    await this.#runExclusive(() => this.#look());
  }

  /** Stops for good: accepts no further connection, and resolves when those that there are have ended. */
  async close(): Promise<void> {
    await this.#runExclusive(async () => {
      this.#cancelLook();
      this.#change({ ...LAN_OFF, fixedBecause: this.#state.fixedBecause });
    });
    await this.#listener.close();
  }

  async #look(): Promise<void> {
    const route = await this.#networks.routeAddress();
    const own = this.#networks.addresses();
    this.#own = new Set(own.map(nameOfAddress));
    const reachable = own.filter((address) => this.#networks.isPrivate(address));
    const wanted = sorted(reachable, route);
    if (this.#state.fixedBecause === null) await this.#listen(wanted);
    else this.#showBound(wanted);
    this.#cancelLook = this.#options.timers.after(LOOK_MS, () => {
      void this.#runExclusive(async () => {
        if (this.#state.isOn || this.#state.fixedBecause !== null) await this.#look();
      });
    });
    if (this.#looks++ % LOOKS_A_LOOKUP === 0) void this.#lookUpName();
  }

  async #listen(wanted: readonly string[]): Promise<void> {
    const failed = await this.#listener.listenAt(wanted);
    const open = this.#listener.addresses;
    const absent = wanted.length === 0 ? lanSentence("LAN_ABSENT") : null;
    this.#show(
      wanted.filter((address) => open.has(address)),
      absent ?? this.#troubleOf(failed),
    );
  }

  /** A relay that was told where to listen is reachable at all addresses of that kind, or at one. */
  #showBound(wanted: readonly string[]): void {
    const { address: bound } = this.#bound;
    const isBound = (address: string) =>
      bound === "::" || address === bound || (bound === "0.0.0.0" && !address.includes(":"));
    const addresses = wanted.filter(isBound);
    this.#change({ isOn: addresses.length > 0 });
    this.#show(addresses, null);
  }

  #show(addresses: readonly string[], trouble: string | null): void {
    const bases = addresses.map((address) => this.#baseAt(nameOfAddress(address)));
    if (!isDeepStrictEqual(bases, this.#state.addresses)) this.#looks = 0;
    this.#change({ addresses: bases, trouble, nameAddress: this.#nameAddress(addresses) });
  }

  /** The address by name, if that leads to nowhere but this computer, and to an address at which it listens. */
  #nameAddress(addresses: readonly string[]): string | null {
    const leadsHere = [...this.#named].every((address) => this.#own.has(address));
    const isOpen = addresses.some((address) => this.#named.has(nameOfAddress(address)));
    return leadsHere && isOpen ? this.#baseAt(this.#options.name) : null;
  }

  async #lookUpName(): Promise<void> {
    const found = await this.#networks.resolve(this.#options.name);
    this.#named = new Set(found.map(nameOfAddress));
    const shown = this.#state.addresses.map((base) =>
      new URL(base).hostname.replaceAll(/[[\]]/g, ""),
    );
    this.#change({ nameAddress: this.#nameAddress(shown) });
  }

  #baseAt(host: string): string {
    return `${this.#options.scheme}://${host}:${this.#bound.port}`;
  }

  /** Returns a sentence about the first address that can't be used. One that has just gone is none. */
  #troubleOf(failed: ReadonlyMap<string, Error>): string | null {
    for (const [address, error] of failed) {
      const code = "code" in error ? String(error.code) : error.name;
      if (code === "EADDRNOTAVAIL") continue;
      const params = { address, port: String(this.#bound.port), status: code };
      return lanSentence(code === "EADDRINUSE" ? "LAN_PORT_TAKEN" : "LAN_REFUSED", params);
    }
    return null;
  }

  #noteVisitor(address: string): void {
    const name = nameOfAddress(address);
    if (this.#state.isOn && !this.#own.has(name)) this.#change({ hasVisitor: true });
  }

  #change(change: Partial<LanState>): void {
    const state = { ...this.#state, ...change };
    if (isDeepStrictEqual(state, this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The default route's address first, then others of IPv4, which are easier to type. */
function sorted(addresses: readonly string[], route: string | undefined): readonly string[] {
  const rank = (address: string) => (address === route ? 0 : address.includes(":") ? 2 : 1);
  return addresses.toSorted((one, other) => rank(one) - rank(other));
}
