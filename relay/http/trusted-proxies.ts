import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The proxies whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param proxies addresses and CIDRs */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = "", bits] = proxy.split("/");
      if (bits === undefined) this.#list.addAddress(address, familyOf(address));
      else this.#list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** @param address also an IPv4 address mapped into IPv6 */
  trusts(address = ""): boolean {
    const bare = address.replace(/^::ffff:(?=\d+\.)/i, "");
    return isIP(bare) !== 0 && this.#list.check(bare, familyOf(bare));
  }

  /**
   * The client's address, as Fastify finds it: the nearest one that is no trusted proxy's, of the connection's and
   * those in `X-Forwarded-For`. For what never reaches Fastify.
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, "headers" | "socket">): string {
    const { remoteAddress = "" } = socket;
    const way = [...String(headers["x-forwarded-for"] ?? "").split(","), remoteAddress];
    const addresses = way.flatMap((address) => address.trim() || []);
    return addresses.findLast((address) => !this.trusts(address)) ?? addresses[0] ?? "";
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
