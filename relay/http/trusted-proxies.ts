import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The proxies whose `X-Forwarded-For` is trusted. */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** @param proxies addresses and CIDRs */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = "", bits] = proxy.split("/");
      const family = familyOf(address);
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  trusts(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }

  /** The client's address: the last one of the way that is no trusted proxy, as for calls. */
  clientOf({ socket, headers }: IncomingMessage): string {
    const { remoteAddress = "" } = socket;
    const way = [...String(headers["x-forwarded-for"] ?? "").split(","), remoteAddress];
    const addresses = way.map((address) => address.trim()).filter((address) => address !== "");
    return addresses.findLast((address) => !this.trusts(address)) ?? addresses[0] ?? "";
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
