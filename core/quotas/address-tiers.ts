/** An address and the networks around it, as limits count them (rule L5). */
export interface AddressTiers {
  /** The unit that counts as one address: an IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** The networks that it is in, from narrow to wide: /24 for IPv4, /56 and /48 for IPv6. */
  readonly networks: readonly string[];
}

/** Returns an IP address in lower case, without zone and brackets, and without the port that some proxies forward. */
function bareAddress(text: string): string {
  return text
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/%.*$/, "")
    .toLowerCase();
}

/**
 * Returns an address and its networks, as limits count them.
 * @param text an IP address; an IPv4 address mapped into IPv6 counts as IPv4, zone and port are ignored
 */
export function tiersOf(text: string): AddressTiers {
  const bare = bareAddress(text);
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? [];
  const isVersion6 = mapped === undefined && bare.includes(":");
  return isVersion6 ? tiersOfVersion6(bare) : tiersOfVersion4(mapped ?? bare);
}

/**
 * Returns the networks around those of `tiersOf`, from narrow to wide: the /16 of IPv4, the /40 and /32 of IPv6. Events
 * that last count in them, too (rule L13).
 * @param address an address as `tiersOf` gives it; other texts have no networks
 */
export function wideNetworksOf(address: string): readonly string[] {
  const parsed = groupsOf(address.replace(/\/64$/, ""));
  if (parsed === undefined) return [];
  const { groups, isVersion6 } = parsed;
  return (isVersion6 ? [40, 32] : [16]).map((bits) => rangeOf(groups, bits, isVersion6).text);
}

/** Returns the widest of the networks of `tiersOf`, which is rough enough to show to a person. */
export function roughNetworkOf(text: string): string {
  const { address, networks } = tiersOf(text);
  return networks.at(-1) ?? address;
}

function tiersOfVersion4(address: string): AddressTiers {
  const network = /^\d+\.\d+\.\d+(?=\.\d+$)/.exec(address)?.[0];
  return { address, networks: network === undefined ? [] : [`${network}.0/24`] };
}

function tiersOfVersion6(bare: string): AddressTiers {
  const [head = "", tail = ""] = bare.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const [first = 0, second = 0, third = 0, fourth = 0] = [...left, ...zeros, ...right].map(
    (group) => Number.parseInt(group, 16),
  );
  return {
    address: network6([first, second, third, fourth], 64),
    networks: [
      network6([first, second, third, fourth & 0xff00], 56),
      network6([first, second, third], 48),
    ],
  };
}

function network6(groups: readonly number[], bits: number): string {
  return `${groups.map((group) => group.toString(16)).join(":")}::/${bits}`;
}

/** A network, or one address as limits count it: an IPv4 address, or the /64 of an IPv6 address. */
export interface AddressRange {
  /** The range's canonical spelling: `192.0.2.0/24`, `192.0.2.7`, `2001:db8:0:7::/64`. */
  readonly text: string;
  readonly bits: number;
  /** A key that all addresses of the range share, and no others of its family and bits. */
  readonly key: string;
}

/**
 * Parses an address or a CIDR. An IPv6 address, and an IPv6 network narrower than /64, becomes its /64: a client with one
 * address there has all of them. An IPv4 address mapped into IPv6 is that IPv4 address.
 * @returns undefined if the text is neither
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [, address = "", bitsText] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const parsed = groupsOf(address);
  if (parsed === undefined) return undefined;
  const { groups, isVersion6, isMapped } = parsed;
  const width = isVersion6 ? 128 : 32;
  const bits = bitsText === undefined ? width : Number(bitsText) - (isMapped ? 96 : 0);
  if (isMapped && bitsText !== undefined && bits < 0) return undefined;
  if (bits > width) return undefined;
  return rangeOf(groups, Math.min(bits, groups.length * 16), isVersion6);
}

/** Finds whether an address is in one of many ranges, with one lookup for each length of prefix. */
export class AddressRanges {
  readonly #keys: ReadonlySet<string>;
  readonly #bits: readonly number[];

  constructor(ranges: readonly AddressRange[]) {
    this.#keys = new Set(ranges.map(({ key }) => key));
    this.#bits = [...new Set(ranges.map(({ bits }) => bits))];
  }

  get isEmpty(): boolean {
    return this.#bits.length === 0;
  }

  /** @param address an IP address, or one as `tiersOf` gives it */
  has(address: string): boolean {
    if (this.isEmpty) return false;
    const parsed = groupsOf(bareAddress(address).replace(/\/64$/, ""));
    if (parsed === undefined) return false;
    const { groups, isVersion6 } = parsed;
    return this.#bits.some((bits) => this.#keys.has(keyOf(groups, bits, isVersion6)));
  }
}

interface ParsedAddress {
  /** Groups of 16 bits: two of an IPv4 address, the first four of an IPv6 address. */
  readonly groups: readonly number[];
  readonly isVersion6: boolean;
  /** True if an IPv4 address was written as an IPv6 one. */
  readonly isMapped: boolean;
}

function groupsOf(address: string): ParsedAddress | undefined {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? [];
  const groups =
    bare.includes(":") && mapped === undefined ? groups6(bare) : groups4(mapped ?? bare);
  if (groups === undefined) return undefined;
  return { groups, isVersion6: groups.length > 2, isMapped: mapped !== undefined };
}

function groups4(text: string): readonly number[] | undefined {
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  if ([a, b, c, d].some((byte) => byte > 255)) return undefined;
  return [a * 256 + b, c * 256 + d];
}

function groups6(text: string): readonly number[] | undefined {
  const [head = "", tail, ...more] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = 8 - left.length - right.length;
  const isWhole = tail === undefined ? missing === 0 : missing > 0;
  if (more.length > 0 || !isWhole) return undefined;
  const all = [...left, ...Array<string>(missing).fill("0"), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return undefined;
  return all.slice(0, 4).map((group) => Number.parseInt(group, 16));
}

function rangeOf(groups: readonly number[], bits: number, isVersion6: boolean): AddressRange {
  const masked = maskedTo(groups, bits);
  const text = isVersion6 ? text6(masked, bits) : text4(masked, bits);
  return { text, bits, key: keyOf(groups, bits, isVersion6) };
}

function keyOf(groups: readonly number[], bits: number, isVersion6: boolean): string {
  return `${isVersion6 ? 6 : 4} ${bits} ${maskedTo(groups, bits).join(".")}`;
}

function maskedTo(groups: readonly number[], bits: number): readonly number[] {
  return groups.map((group, index) => {
    const kept = Math.max(0, Math.min(16, bits - index * 16));
    return group & (0xffff << (16 - kept)) & 0xffff;
  });
}

function text4(groups: readonly number[], bits: number): string {
  const address = groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
  return bits === 32 ? address : `${address}/${bits}`;
}

function text6(groups: readonly number[], bits: number): string {
  const used = groups.slice(0, Math.max(1, groups.findLastIndex((group) => group !== 0) + 1));
  return `${used
    .map((group) => group.toString(16))
    .join(":")
    .replace(/^0$/, "")}::/${bits}`;
}
