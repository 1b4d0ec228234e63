import type { LanSwitch } from "../../../addon/relay/lan-switch.ts";
import { isThisComputer } from "../../../core/protocol/judge-host.ts";
import { LAN_OFF, type LanState, type PanelLan } from "../../../core/protocol/panel-lan.ts";
import type { Relay } from "../../../relay/build-relay.ts";
import { normalHostName } from "../../../relay/setting-kinds.ts";

type Lan = Awaited<ReturnType<Relay["openLan"]>>;

/**
 * Returns the switch with which the panel lets devices in the local network send (rule LAN1). Loads its code for the
 * first use, and at once where `--host` has opened the relay to a network.
 */
export async function lanSwitchOf(
  relay: Pick<Relay, "openLan">,
  { host }: { readonly host: string },
): Promise<LanSwitch> {
  const ownSwitch = new LazyLan(relay);
  if (!isThisComputer(normalHostName(host) ?? "")) await (await ownSwitch.open()).showFixed();
  return ownSwitch;
}

/** Returns the addresses in the local network as `--json` prints them; none while it is off. */
export function lanJson(lan: PanelLan | null): object {
  if (lan === null || !lan.isOn) return {};
  return {
    lan_addresses: lan.addresses,
    ...(lan.trouble !== null && { lan_trouble: lan.trouble }),
  };
}

/** Returns the addresses in the local network, for people. */
export function lanFacts(lan: PanelLan | null): readonly (readonly [string, string])[] {
  if (lan === null || !lan.isOn) return [];
  const shown = [...lan.addresses, ...(lan.nameAddress === null ? [] : [lan.nameAddress])];
  const facts = shown.length === 0 ? [] : [["In this network", shown.join(", ")] as const];
  return lan.trouble === null ? facts : [...facts, ["Not in this network", lan.trouble] as const];
}

/** A switch whose code is loaded when somebody turns it. */
class LazyLan implements LanSwitch {
  readonly #relay: Pick<Relay, "openLan">;
  readonly #listeners = new Set<() => void>();
  #lan: Lan | undefined;

  constructor(relay: Pick<Relay, "openLan">) {
    this.#relay = relay;
  }

  get state(): LanState {
    return this.#lan?.state ?? LAN_OFF;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async turn(isOn: boolean): Promise<void> {
    if (isOn || this.#lan !== undefined) await (await this.open()).turn(isOn);
  }

  async open(): Promise<Lan> {
    const lan = await this.#relay.openLan();
    if (this.#lan === undefined) {
      this.#lan = lan;
      lan.subscribe(() => this.#listeners.forEach((listener) => listener()));
    }
    return lan;
  }
}
