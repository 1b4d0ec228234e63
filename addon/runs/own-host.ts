import type { Host } from "../hosts/host.ts";
import { CORRECT_TEMPO_VARIABLE } from "../settings.ts";
import type { StateHolder } from "../state/state-store.ts";

export interface HostSideOptions {
  readonly host: Host;
  readonly holder: StateHolder;
  /** undefined for a host that makes no clip again (rule H6). */
  readonly onCorrectsTempo: ((isOn: boolean) => void) | undefined;
  /** Keeps the text of a setting for the next start, by its variable's name. */
  readonly keepSetting: (variable: string, text: string) => void;
}

/** What the state says of the host, and the choices that a person has there. */
export class HostSide {
  readonly #options: HostSideOptions;

  constructor(options: HostSideOptions) {
    this.#options = options;
  }

  /** Reads the session's tempo into the state. */
  async look(): Promise<void> {
    const { host, holder } = this.#options;
    const tempoBpm = await readTempo(host);
    if (tempoBpm !== holder.state.host.tempoBpm) holder.changeHost({ tempoBpm });
  }

  /** Turns the correction of guessed tempi on or off, where the host has it, and keeps the choice. */
  setCorrectsTempo(isOn: boolean): void {
    const { holder, onCorrectsTempo, keepSetting } = this.#options;
    if (onCorrectsTempo === undefined) return;
    keepSetting(CORRECT_TEMPO_VARIABLE, isOn ? "on" : "off");
    onCorrectsTempo(isOn);
    holder.changeHost({ correctsTempo: isOn });
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
