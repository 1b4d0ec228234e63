import {
  AddressRanges,
  parseAddressRange,
  roughNetworkOf,
  tiersOf,
  wideNetworksOf,
} from "../../../core/quotas/address-tiers.ts";
import { newcomersShare } from "../../../core/quotas/budgets.ts";
import { assert, ipV4, ipV6, nat, oneof, property } from "fast-check";
import { isIP } from "node:net";
import { describe, expect, test } from "vitest";

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

test.each([
  "",
  "192.0.2",
  "x192.0.2.7",
  "192.0.2.7x",
  "x192.0.2.7.9",
  "x[192.0.2.7]",
  "[192.0.2.7]x",
])("[L5] %j isn't an address, and counts as itself", (text) => {
  expect(tiersOf(text)).toEqual({ address: text, networks: [] });
});

test("[L5] only what is mapped into IPv6 as a whole counts as IPv4", () => {
  expect(tiersOf("1::ffff:203.0.113.7").address).toMatch(/::\/64$/);
  expect(tiersOf("::ffff:203.0.113.77").networks).toEqual(["203.0.113.0/24"]);
  expect(tiersOf("::ffff:203.0.113.7%eth0")).toEqual(tiersOf("203.0.113.7"));
});

test("[P12] a person is shown the widest network only", () => {
  expect(roughNetworkOf("203.0.113.7")).toBe("203.0.113.0/24");
  expect(roughNetworkOf("2001:db8:12:34ab::9")).toBe("2001:db8:12::/48");
});

function has(range: string, address: string): boolean {
  const parsed = parseAddressRange(range);
  if (parsed === undefined) throw new Error(`${range} is a range.`);
  return new AddressRanges([parsed]).has(address);
}

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7/24", "192.0.2.0/24"],
  ["192.0.2.7/31", "192.0.2.6/31"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:192.0.2.7/120", "192.0.2.0/24"],
  ["::ffff:192.0.2.7/96", "0.0.0.0/0"],
  [" 192.0.2.7/24 ", "192.0.2.0/24"],
  ["192.168.255.255/31", "192.168.255.254/31"],
  ["2001:DB8:0:7::1", "2001:db8:0:7::/64"],
  ["0:0:0:8::/64", "0:0:0:8::/64"],
  ["2001:db8:0:7::1/128", "2001:db8:0:7::/64"],
  ["2001:db8:ffff:ffff::/40", "2001:db8:ff00::/40"],
  ["fe80::1%eth0", "fe80::/64"],
  ["::/0", "::/0"],
  ["::1", "::/64"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
])("[AD3] %s is the range %s, which is read the same again", (text, range) => {
  expect(parseAddressRange(text)?.text).toBe(range);
  expect(parseAddressRange(range)?.text).toBe(range);
});

test.each([
  ...(
    "relay.example 192.0.2 192.0.2.256 192.0.2.7/33 192.0.2.7/ 192.0.2.7/24/8 " +
    "::ffff:192.0.2.7/90 2001:db8::/129 2001:db8::1::2 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:: " +
    "12345:: g:: x/192.0.2.7 1192.0.2.7 192.0.2.1777 ::ffff:192.0.2.7/95 1::ffff:192.0.2.7 " +
    "::ffff:192.0.2.7x"
  ).split(" "),
  "",
])("[AD3] %j is no range", (text) => {
  expect(parseAddressRange(text)).toBeUndefined();
});

describe("[AD3] what is in a range", () => {
  test.each([
    ["192.0.2.0/24", "192.0.2.255", true],
    ["192.0.2.0/24", "::ffff:192.0.2.9", true],
    ["192.0.2.0/24", "192.0.2.9:5000", true],
    ["2001:db8:0:7::/64", "[2001:db8:0:7::9]:5000", true],
    ["192.0.2.0/24", "192.0.3.0", false],
    ["0.0.0.0/0", "203.0.113.5", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["2001:db8:0:7::1", "2001:db8:0:7:ffff::", true],
    ["2001:db8:0:7::1", "2001:db8:0:8::1", false],
    ["2001:db8::/29", "2001:dbf:ffff::1", true],
    ["2001:db8::/29", "2001:dc0::1", false],
    ["::/0", "192.0.2.1", false],
    ["192.0.2.0/24", "not an address", false],
  ])("%s and %s: %s", (range, address, expected) => {
    expect(has(range, address)).toBe(expected);
  });

  test("an address is in one of several, and in none of no ranges", () => {
    const parsed = ["192.0.2.0/24", "198.51.100.7", "2001:db8::/29"].map(parseAddressRange);
    const ranges = new AddressRanges(parsed.filter((range) => range !== undefined));
    const addresses = [
      "192.0.2.9",
      "198.51.100.7",
      "2001:db8::9",
      "198.51.100.8",
      "2001:db8:9::/64",
    ];
    expect(addresses.map((address) => ranges.has(address))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(new AddressRanges([]).has("192.0.2.9")).toBe(false);
    expect(has("2001:db8:0:7::/64", "2001:db8:0:7::/64x")).toBe(false);
  });

  test("an address and what limits call it are in the same ranges", () => {
    const address = oneof(
      ipV4(),
      ipV6().filter((text) => isIP(text) === 6 && !text.includes(".")),
    );
    assert(
      property(address, nat(64), (text, bits) => {
        const width = text.includes(":") ? 64 : Math.min(bits, 32);
        const range = `${text}/${Math.min(bits, width)}`;
        expect(has(range, text)).toBe(true);
        expect(has(range, tiersOf(text).address)).toBe(true);
      }),
    );
  });
});

test("[L13] events that last count in the /16, and in the /40 and /32 of IPv6, too", () => {
  expect(wideNetworksOf(tiersOf("203.0.113.7").address)).toEqual(["203.0.0.0/16"]);
  const { address } = tiersOf("2001:db8:1234:5678::1");
  expect(wideNetworksOf(address)).toEqual(["2001:db8:1200::/40", "2001:db8::/32"]);
  expect(wideNetworksOf("proxied 1")).toEqual([]);
});

test("[L13] a newcomers' network has 1 % of all events, at least ten or a tenth", () => {
  const shares = [1, 3, 20, 100, 600, 2000, 20_000].map(newcomersShare);
  expect(shares).toEqual([1, 1, 2, 10, 10, 20, 200]);
});
