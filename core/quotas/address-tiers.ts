/** An address and the networks around it, as limits count them (rule L5). */
export interface AddressTiers {
  /** What counts as one address: an IPv4 address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** The networks that it is in, from narrow to wide: /24 for IPv4, /56 and /48 for IPv6. */
  readonly networks: readonly string[];
}

/** An IP address in lower case, without zone and brackets, and without the port that some proxies forward. */
export function bareAddress(text: string): string {
  return text
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")
    .replace(/%.*$/, "")
    .toLowerCase();
}

/** @param text an IP address; an IPv4 address mapped into IPv6 counts as IPv4, zone and port are ignored */
export function tiersOf(text: string): AddressTiers {
  const bare = bareAddress(text);
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? [];
  const isVersion6 = mapped === undefined && bare.includes(":");
  return isVersion6 ? tiersOfVersion6(bare) : tiersOfVersion4(mapped ?? bare);
}

/** The widest network around an address: rough enough to show to a person. */
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
