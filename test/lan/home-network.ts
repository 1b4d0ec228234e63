import { onTestFinished } from "vitest";
import { NetworkPlace } from "./network-place.ts";

/** The computer's addresses of each kind. Only the first three are private ones that a browser can name. */
export const COMPUTER = {
  home: "192.168.50.10",
  other: "10.20.0.10",
  unique: "fd12:3456:789a::10",
  public: "203.0.113.10",
  shared: "100.64.0.10",
  public6: "2001:db8::10",
  link: "fe80::10",
} as const;

/** The phone's addresses in the same networks. */
export const PHONE = {
  home: "192.168.50.20",
  other: "10.20.0.20",
  unique: "fd12:3456:789a::20",
  public: "203.0.113.20",
  shared: "100.64.0.20",
  public6: "2001:db8::20",
  link: "fe80::20",
} as const;

/** A computer and a phone in one network, each in a namespace of its own. */
export interface HomeNetwork {
  readonly computer: NetworkPlace;
  readonly phone: NetworkPlace;
}

/**
 * Makes a home network until the test is over. The computer's default route leads through `192.168.50.0/24`, and it is
 * in a second network, too.
 * @throws {Error} with a sentence where this computer can't make network namespaces
 */
export async function homeNetwork(): Promise<HomeNetwork> {
  const computer = await NetworkPlace.make();
  onTestFinished(() => computer[Symbol.asyncDispose]());
  const phone = await NetworkPlace.make();
  onTestFinished(() => phone[Symbol.asyncDispose]());
  for (const name of ["home0", "other0"]) {
    await computer.ip(`link add ${name} type veth peer name ${name} netns ${phone.pid}`);
  }
  for (const [place, addresses] of [
    [computer, COMPUTER],
    [phone, PHONE],
  ] as const) {
    const { home, other, unique, shared, public6, link } = addresses;
    await place.ip(`addr add ${other}/24 dev other0`);
    await place.ip(`addr add ${shared}/10 dev other0`);
    await place.ip(`addr add ${addresses.public}/24 dev home0`);
    await place.ip(`addr add ${home}/24 dev home0`);
    await place.ip(`addr add ${unique}/64 dev home0 nodad`);
    await place.ip(`addr add ${public6}/64 dev home0 nodad`);
    await place.ip(`addr add ${link}/64 dev home0 nodad`);
    for (const name of ["home0", "other0"]) {
      // An own link-local address would be there a second later, when a browser drops what it has begun.
      await place.ip(`link set ${name} addrgenmode none`);
      await place.ip(`link set ${name} up`);
    }
  }
  await computer.ip(`route add default via ${PHONE.home} dev home0 src ${COMPUTER.home}`);
  return { computer, phone };
}
