import { createSocket } from "node:dgram";
import { once } from "node:events";
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { isPrivateAddress } from "../../../core/protocol/judge-host.ts";

/** The networks that this computer is in. */
export interface OwnNetworks {
  /** Returns all addresses of this computer, also its loopback's. */
  addresses(): readonly string[];
  /** Checks whether devices in the same network, and no others, can reach an address (rule LAN2). */
  isPrivate(address: string): boolean;
  /** Returns the address that the default route starts from; undefined without one. */
  routeAddress(): Promise<string | undefined>;
  /** Returns the addresses that a name leads to here; none for an unknown name. */
  resolve(name: string): Promise<readonly string[]>;
}

/** An address of documentation (RFC 5737). Everything but one's own network is behind the default route, this too. */
const FAR_ADDRESS = "198.51.100.1";
const ANY_PORT = 9;

export const OWN_NETWORKS: OwnNetworks = {
  addresses: () =>
    Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address)),
  isPrivate: isPrivateAddress,
  routeAddress: async () => {
    const socket = createSocket("udp4");
    try {
      // Chooses a route, and sends nothing.
      const connected = once(socket, "connect");
      socket.connect(ANY_PORT, FAR_ADDRESS);
      await connected;
      return socket.address().address;
    } catch {
      // No network leads there.
      return undefined;
    } finally {
      socket.close();
    }
  },
  resolve: async (name) => {
    const found = await lookup(name, { all: true }).catch(() => []);
    return found.map(({ address }) => address);
  },
};
