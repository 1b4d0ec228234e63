import { expect, test } from "vitest";
import { judgeNetwork, type SeenCall } from "../../../../cli/doctor/relay/check-address.ts";

const HERE = "192.168.1.20";
const ABROAD = "198.51.100.7";

interface NetworkCase extends Partial<SeenCall> {
  readonly what: string;
  readonly found: string;
}

const CASES: readonly NetworkCase[] = [
  { what: "this computer's address outside", network: "192.0.2.0/24", found: "ok" },
  { what: "this computer's own network", network: "192.168.1.0/24", found: "ok" },
  { what: "an IPv6 network", network: "2001:db8:1::/48", found: "ok" },
  { what: "the relay's loopback", network: "127.0.0.0/24", found: "wrong" },
  { what: "its own computer", network: "this-computer", found: "wrong" },
  { what: "a container's network", network: "172.17.0.0/24", found: "wrong" },
  { what: "the address that the proxy has for all", network: "198.51.100.0/24", found: "wrong" },
  {
    what: "another private network, where the relay is in a private one, too",
    network: "10.8.0.0/24",
    remoteAddress: "10.1.0.2",
    found: "note",
  },
  {
    what: "its own computer, which this is",
    network: "this-computer",
    localAddress: "127.0.0.1",
    remoteAddress: "127.0.0.1",
    found: "ok",
  },
  {
    what: "its own computer, which this is, by IPv6",
    network: "this-computer",
    localAddress: "::1",
    remoteAddress: "::1",
    found: "ok",
  },
];

test.for(CASES)("[K15] judges that a relay sees calls from $what", ({ found, ...seen }) => {
  const call = {
    network: "",
    networkWhenForged: seen.network ?? "",
    localAddress: HERE,
    remoteAddress: ABROAD,
    ...seen,
  };
  const [forged, address] = judgeNetwork(call);
  expect(forged?.state).toBe("ok");
  expect(address).toMatchObject({ check: "address", state: found });
  expect(address?.advice === undefined).toBe(found === "ok");
});

test("[K15] a relay that believes a forged address is wrong, and on its own computer perhaps isn't", () => {
  const forged = {
    network: "192.0.2.0/24",
    networkWhenForged: "203.0.113.0/24",
    localAddress: HERE,
    remoteAddress: ABROAD,
  };
  const find = (seen: SeenCall) => judgeNetwork(seen)[0];
  expect(find(forged)).toMatchObject({ check: "forged-address", state: "wrong" });
  expect(find({ ...forged, remoteAddress: "127.0.0.1" })?.state).toBe("note");
  // A caller from that network.
  expect(find({ ...forged, network: "203.0.113.0/24" })?.state).toBe("ok");
});
