import { expect, test } from "vitest";
import { roughNetworkOf, tiersOf } from "../../../core/quotas/address-tiers.ts";

test("[L5] an IPv4 address counts as itself and in its /24", () => {
  expect(tiersOf("203.0.113.7")).toEqual({ address: "203.0.113.7", networks: ["203.0.113.0/24"] });
  expect(tiersOf("::ffff:203.0.113.7")).toEqual(tiersOf("203.0.113.7"));
});

test("[L5] an IPv6 address counts as its /64, and in its /56 and /48", () => {
  expect(tiersOf("2001:DB8:0012:34ab:1::9")).toEqual({
    address: "2001:db8:12:34ab::/64",
    networks: ["2001:db8:12:3400::/56", "2001:db8:12::/48"],
  });
  expect(tiersOf("::1").address).toBe("0:0:0:0::/64");
  expect(tiersOf("fe80::1%eth0").address).toBe("fe80:0:0:0::/64");
});

test("[L5] an address counts without the port that some proxies forward", () => {
  expect(tiersOf("203.0.113.7:5000")).toEqual(tiersOf("203.0.113.7"));
  expect(tiersOf("[2001:db8::7]:5000")).toEqual(tiersOf("2001:db8::7"));
  expect(tiersOf("[2001:db8::7]")).toEqual(tiersOf("2001:db8::7"));
});

test("[L5] addresses share only the networks that they have in common", () => {
  const [one, other] = [tiersOf("2001:db8:1:100::1"), tiersOf("2001:db8:1:2ff::1")];
  expect(one.networks[0]).not.toBe(other.networks[0]);
  expect(one.networks[1]).toBe(other.networks[1]);
});

test("[L5] what is no address counts as itself", () => {
  expect(tiersOf("")).toEqual({ address: "", networks: [] });
});

test("[P12] a person is shown the widest network only", () => {
  expect(roughNetworkOf("203.0.113.7")).toBe("203.0.113.0/24");
  expect(roughNetworkOf("2001:db8:12:34ab::9")).toBe("2001:db8:12::/48");
});
