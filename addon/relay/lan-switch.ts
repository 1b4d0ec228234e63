import { isDeepStrictEqual } from "node:util";
import type { LanChoice, LanState } from "../../core/protocol/panel-api.ts";
import type { StoredSettings } from "../state/stored-settings.ts";
import type { StateStore } from "../state/state-store.ts";

/** Opens the relay of this program to devices in the local network, and closes it again (rule LAN1). */
export interface LanSwitch {
  readonly state: LanState;
  /** Calls the listener after each change; the returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Resolves once the relay listens, or no longer does, or the state says why it can't. Nothing where it is fixed. */
  turn(isOn: boolean): Promise<void>;
}

interface LanSyncDeps {
  readonly lanSwitch: LanSwitch | undefined;
  readonly settings: Pick<StoredSettings, "settings" | "storeSetting">;
  readonly store: StateStore;
}

/** The name under which "keep on" is stored. */
const KEEPS_ON = "SOUNDFERRY_LAN";

/** Keeps the switch in the state, and what a person chose for later starts (rule LAN1). */
export class LanSync {
  readonly #deps: LanSyncDeps;
  #keepsOn = false;
  #unsubscribe = () => {};

  constructor(deps: LanSyncDeps) {
    this.#deps = deps;
  }

  /** Switches it on if a person chose so for later starts. */
  async start(): Promise<void> {
    const { lanSwitch, settings } = this.#deps;
    if (lanSwitch === undefined) return;
    this.#keepsOn = settings.settings()[KEEPS_ON] === "on";
    this.#unsubscribe = lanSwitch.subscribe(() => this.#show());
    this.#show();
    if (this.#keepsOn) await lanSwitch.turn(true);
  }

  /** Switches it, if there is a switch, and stores the choice for later starts. */
  async choose({ isOn, keepsOn }: LanChoice): Promise<void> {
    const { lanSwitch, settings } = this.#deps;
    if (lanSwitch === undefined) return;
    if (this.#keepsOn !== keepsOn) settings.storeSetting(KEEPS_ON, keepsOn ? "on" : undefined);
    this.#keepsOn = keepsOn;
    await lanSwitch.turn(isOn);
    this.#show();
  }

  close(): void {
    this.#unsubscribe();
  }

  #show(): void {
    const { lanSwitch, store } = this.#deps;
    if (lanSwitch === undefined) return;
    const lan = { ...lanSwitch.state, keepsOn: this.#keepsOn };
    if (!isDeepStrictEqual(lan, store.state.lan)) store.change({ lan });
  }
}
