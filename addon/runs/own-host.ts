import type { Timers } from "../timers.ts";
import type { Host, HostSetting, HostSettingValues } from "../hosts/host.ts";
import {
  type HostChoice,
  hostLabel,
  type HostRegistry,
  notReadySentence,
  readyHost,
} from "../hosts/host-registry.ts";
import type { PanelHost } from "../../core/protocol/panel-api.ts";
import type { StateStore } from "../state/state-store.ts";

/** Interval at which a started importer checks which of its own hosts is ready. */
const LOOK_EVERY_MS = 2000;

export interface OwnHostDeps {
  readonly hosts: Pick<HostRegistry, "own" | "lastResort" | "choose" | "open">;
  readonly store: StateStore;
  /** Reads a host's stored settings. @throws {SettingsError} with every problem at once */
  readonly readValues: (declared: readonly HostSetting[]) => HostSettingValues;
  /** Stores a setting's text for the next start, by variable name. */
  readonly keepSetting: (variable: string, text: string) => void;
  readonly timers: Timers;
}

/** Keeps the current one of the importer's own hosts (rule R9) and its settings in the state. */
export class OwnHost {
  readonly #deps: OwnHostDeps;
  /** The settings of all own hosts, by variable. */
  readonly #values = new Map<string, boolean>();
  #shown: HostChoice;
  #looks = 0;
  #isClosed = false;
  #cancelLook = () => {};

  /** @throws {SettingsError} with every problem at once */
  constructor(deps: OwnHostDeps) {
    const { hosts, readValues } = deps;
    this.#deps = deps;
    for (const host of hosts.own) {
      const declared = host.settings ?? [];
      const values = readValues(declared);
      for (const { id, variable, default: first } of declared) {
        this.#values.set(variable, values[id] ?? first);
      }
    }
    this.#shown = { host: hosts.lastResort, isReady: true };
    this.#show();
  }

  /** Checks which host is ready, now and every two seconds. */
  async start(): Promise<void> {
    const { hosts, timers } = this.#deps;
    await this.look();
    const isAlwaysSame = hosts.own.every((host) => host.isReady === undefined);
    if (isAlwaysSame || this.#isClosed) return;
    this.#cancelLook = timers.after(LOOK_EVERY_MS, () => void this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
  }

  /** Chooses the host for imports now and shows it in the state. */
  async look(): Promise<HostChoice> {
    const look = ++this.#looks;
    const choice = await this.#deps.hosts.choose();
    // A newer check has replaced this one.
    if (look === this.#looks && !this.#isClosed) {
      this.#change(choice);
      // Another session may be open by now.
      void this.#refreshRoom();
    }
    return choice;
  }

  /**
   * Chooses the host of an import, which keeps it to its end (rule R9).
   * @param name undefined for the current one of the own hosts
   * @throws {Error} with a sentence when there is no such host, or it isn't ready
   */
  async open(name: string | undefined): Promise<Host> {
    return name === undefined ? readyHost(await this.look()) : this.#deps.hosts.open(name);
  }

  /** Reads the session's tempo and room into the state. */
  async refreshTempo(): Promise<void> {
    const { store } = this.#deps;
    const { host } = this.#shown;
    const roomRead = this.#refreshRoom();
    const tempoBpm = await orNull(host.readTempo?.());
    await roomRead;
    if (host !== this.#shown.host || tempoBpm === store.state.host.tempoBpm) return;
    store.changeHost({ tempoBpm });
  }

  async #refreshRoom(): Promise<void> {
    const { store } = this.#deps;
    const { host } = this.#shown;
    if (host.readRoom === undefined) return;
    const room = await orNull(host.readRoom());
    if (host !== this.#shown.host || room?.tracks === store.state.host.room?.tracks) return;
    store.changeHost({ room });
  }

  /** Changes a setting of the current host and stores it for the next start; false for an unknown id. */
  change(id: string, value: boolean): boolean {
    const setting = this.#shown.host.settings?.find((each) => each.id === id);
    if (setting === undefined) return false;
    this.#deps.keepSetting(setting.variable, value ? "on" : "off");
    this.#values.set(setting.variable, value);
    this.#show();
    return true;
  }

  /** Returns a host's values for `place`; undefined where it declares no settings. */
  valuesOf(host: Host): HostSettingValues | undefined {
    if (host.settings === undefined) return undefined;
    const isOwn = this.#deps.hosts.own.includes(host);
    return isOwn ? this.#ownValuesOf(host) : this.#deps.readValues(host.settings);
  }

  #ownValuesOf(host: Host): HostSettingValues {
    return Object.fromEntries(
      (host.settings ?? []).map(({ id, variable, default: first }) => [
        id,
        this.#values.get(variable) ?? first,
      ]),
    );
  }

  #change(choice: HostChoice): void {
    const before = this.#shown;
    const isSame = choice.host === before.host && choice.isReady === before.isReady;
    const { label, instead: said } = this.#deps.store.state.host;
    const instead = this.#whyInstead(choice);
    if (isSame && hostLabel(choice.host) === label && instead === said) return;
    this.#shown = choice;
    this.#show({ instead, ...(!isSame && { tempoBpm: null, room: null }) });
    if (!isSame) void this.refreshTempo();
  }

  /** Returns why another program than the preferred one is used, in a sentence; null where it is the same. */
  #whyInstead({ host }: HostChoice): string | null {
    const [preferred = host] = this.#deps.hosts.own;
    return preferred.name === host.name ? null : notReadySentence(preferred);
  }

  #show(more: Partial<PanelHost> = {}): void {
    const { host, isReady } = this.#shown;
    const values = this.#ownValuesOf(host);
    this.#deps.store.changeHost({
      name: host.name,
      label: hostLabel(host),
      trouble: isReady ? null : notReadySentence(host),
      settings: (host.settings ?? []).map(({ id, kind, label, help, default: first }) => {
        return { id, kind, label, help, value: values[id] ?? first };
      }),
      can: { reusesTracks: host.can.reusesTracks ?? false, savesForDaw: true },
      ...more,
    });
  }
}

/** Returns what a host reads of its session; null on failure, because that is only displayed and offered. */
async function orNull<Value>(reading: Promise<Value> | undefined): Promise<Value | null> {
  try {
    return (await reading) ?? null;
  } catch {
    return null;
  }
}
