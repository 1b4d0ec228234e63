import type { Host } from "../hosts/host.ts";
import { CORRECT_TEMPO_VARIABLE } from "../settings.ts";
import type { StateStore } from "../state/state-store.ts";

export interface OwnHostDeps {
  readonly host: Host;
  readonly store: StateStore;
  /** undefined for a host that makes no clip again (rule H6). */
  readonly onCorrectsTempo: ((isOn: boolean) => void) | undefined;
  /** Keeps the text of a setting for the next start, by its variable's name. */
  readonly keepSetting: (variable: string, text: string) => void;
}

/** What the state says of the host, and the choices that a person has there. */
export class OwnHost {
  readonly #deps: OwnHostDeps;

  constructor(deps: OwnHostDeps) {
    this.#deps = deps;
  }

  /** Reads the session's tempo into the state. */
  async look(): Promise<void> {
    const { host, store } = this.#deps;
    const tempoBpm = await readTempo(host);
    if (tempoBpm !== store.state.host.tempoBpm) store.changeHost({ tempoBpm });
  }

  /** Turns the correction of guessed tempi on or off, where the host has it, and keeps the choice. */
  setCorrectsTempo(isOn: boolean): void {
    const { store, onCorrectsTempo, keepSetting } = this.#deps;
    if (onCorrectsTempo === undefined) return;
    keepSetting(CORRECT_TEMPO_VARIABLE, isOn ? "on" : "off");
    onCorrectsTempo(isOn);
    store.changeHost({ correctsTempo: isOn });
  }
}

/** The tempo is only shown and offered: that it can't be read is no trouble. */
async function readTempo(host: Host): Promise<number | null> {
  try {
    return (await host.readTempo?.()) ?? null;
  } catch {
    return null;
  }
}
