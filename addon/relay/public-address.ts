import { BlockList, isIP } from "node:net";
import { isNearby } from "./relay-url.ts";

/** Addresses that no service on the internet has, besides the nearby ones. */
const SPECIAL = new BlockList();
SPECIAL.addSubnet("0.0.0.0", 8);
SPECIAL.addSubnet("100.64.0.0", 10);
SPECIAL.addSubnet("192.0.0.0", 24);
SPECIAL.addSubnet("198.18.0.0", 15);
SPECIAL.addSubnet("224.0.0.0", 3);
SPECIAL.addAddress("::", "ipv6");
SPECIAL.addSubnet("ff00::", 8, "ipv6");
// They carry an IPv4 address, which may be a private one.
SPECIAL.addSubnet("64:ff9b::", 96, "ipv6");
SPECIAL.addSubnet("64:ff9b:1::", 48, "ipv6");
SPECIAL.addSubnet("2002::", 16, "ipv6");
SPECIAL.addSubnet("2001::", 32, "ipv6");

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addSubnet("0.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addAddress("::", "ipv6");

/** Whether an IP address is one that the internet knows: neither this computer's nor a private network's. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && !isNearby(address) && !SPECIAL.check(address, family);
}

/** Whether somebody at one IP address may send the importer to another: not from further away to what is nearer. */
export function maySendTo(address: string, from: string | undefined): boolean {
  if (isPublicAddress(address)) return true;
  if (from === undefined || isPublicAddress(from)) return false;
  return !isLoopback(address) || isLoopback(from);
}

function isLoopback(address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && LOOPBACK.check(address, family);
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 6 ? "ipv6" : "ipv4";
}
