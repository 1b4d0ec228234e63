import type { Host, HostSetting, HostSettingValues } from "../hosts/host.ts";
import type { StateStore } from "../state/state-store.ts";

export interface OwnHostDeps {
  readonly host: Host;
  readonly store: StateStore;
  readonly declared: readonly HostSetting[];
  /** @deprecated As in `BuildImporterOptions`. */
  readonly onCorrectsTempo: ((isOn: boolean) => void) | undefined;
  /** @throws {SettingsError} with every problem at once */
  readonly readValues: (declared: readonly HostSetting[]) => HostSettingValues;
  /** Stores a setting's text for the next start, by variable name. */
  readonly keepSetting: (variable: string, text: string) => void;
}

/** Keeps the importer's own host and its settings in the state. */
export class OwnHost {
  readonly #deps: OwnHostDeps;
  #values: HostSettingValues = {};

  /** @throws {SettingsError} with every problem at once */
  constructor(deps: OwnHostDeps) {
    this.#deps = deps;
    this.#show(deps.readValues(deps.declared));
  }

  /** Reads the session's tempo into the state. */
  async refreshTempo(): Promise<void> {
    const { host, store } = this.#deps;
    const tempoBpm = await readTempo(host);
    if (tempoBpm !== store.state.host.tempoBpm) store.changeHost({ tempoBpm });
  }

  /** Changes a setting and stores it for the next start; false for an unknown id. */
  change(id: string, value: boolean): boolean {
    const { declared, keepSetting, onCorrectsTempo } = this.#deps;
    const setting = declared.find((each) => each.id === id);
    if (setting === undefined) return false;
    keepSetting(setting.variable, value ? "on" : "off");
    this.#show({ ...this.#values, [id]: value });
    if (id === "correct-tempo") onCorrectsTempo?.(value);
    return true;
  }

  /** Returns a host's values for `place`; undefined where it declares no settings. */
  valuesOf(host: Host): HostSettingValues | undefined {
    if (host.settings === undefined) return undefined;
    return host === this.#deps.host ? this.#values : this.#deps.readValues(host.settings);
  }

  #show(values: HostSettingValues): void {
    this.#values = values;
    const settings = this.#deps.declared.map(({ id, kind, label, help, default: first }) => {
      return { id, kind, label, help, value: values[id] ?? first };
    });
    this.#deps.store.changeHost({ settings, correctsTempo: values["correct-tempo"] ?? null });
  }
}

/** Returns null on failure: the tempo is only displayed and offered. */
async function readTempo(host: Host): Promise<number | null> {
  try {
    return (await host.readTempo?.()) ?? null;
  } catch {
    return null;
  }
}
