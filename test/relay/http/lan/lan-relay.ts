import { onTestFinished } from "vitest";
import type { RelayOptions } from "../../../../relay/build-relay.ts";
import type { Lan } from "../../../../relay/http/lan/lan.ts";
import type { OwnNetworks } from "../../../../relay/http/lan/own-networks.ts";
import { RunningRelay } from "../../running-relay.ts";

/** Addresses of the loopback that the tests take for private ones of a network. */
export const [HOME, OTHER] = ["127.0.0.2", "127.0.0.3"] as const;
/** One that they take for a public address. */
export const PUBLIC = "127.0.0.4";

/** Networks that a test changes. */
export class TestNetworks implements OwnNetworks {
  own: readonly string[] = [OTHER, PUBLIC, HOME];
  route: string | undefined = HOME;
  named: readonly string[] = [];
  addresses = () => this.own;
  isPrivate = (address: string) => address === HOME || address === OTHER;
  routeAddress = async () => this.route;
  resolve = async () => this.named;
}

export interface LanRelay {
  readonly relay: RunningRelay;
  readonly networks: TestNetworks;
  readonly lan: Lan;
  /** The first address in the local network; the one for this computer while it is off. */
  readonly url: string;
}

/** A relay that listens in a local network, until the test is over. */
export async function relayInLan(
  settings: Record<string, string> = {},
  { isOn = true, ...options }: Partial<RelayOptions> & { readonly isOn?: boolean } = {},
): Promise<LanRelay> {
  const networks = new TestNetworks();
  const { log: _, ...others } = options;
  const relay = await RunningRelay.start(settings, { networks, ...others });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const lan = await relay.relay.openLan();
  if (isOn) await lan.turn(true);
  return { relay, networks, lan, url: lan.state.addresses[0] ?? relay.url };
}

/** The same address on another port-sharing address of this computer. */
export function at(url: string, address: string): string {
  return `http://${address}:${new URL(url).port}`;
}
