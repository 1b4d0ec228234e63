import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/**
 * Returns a function that gives a request's client address as Fastify does: the nearest one that is not a trusted
 * proxy's, of the connection's and those in `X-Forwarded-For`. For requests that never reach Fastify.
 * @param trusted addresses and CIDRs
 */
export function clientAddressFinder(
  trusted: readonly string[],
): (request: Pick<IncomingMessage, "headers" | "socket">) => string {
  const proxies = blockListOf(trusted);
  return ({ headers, socket }) => {
    const forwarded = String(headers["x-forwarded-for"] ?? "");
    const others = forwarded.split(",").flatMap((part) => part.trim() || []);
    const [peer = "", ...before] = [socket.remoteAddress ?? "", ...others.toReversed()];
    let address = peer;
    for (const next of before) {
      if (!isWithin(proxies, address)) break;
      address = next;
    }
    return address;
  };
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isWithin(list: BlockList, address: string): boolean {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, "");
  const family = isIP(bare);
  return family !== 0 && list.check(bare, family === 6 ? "ipv6" : "ipv4");
}
