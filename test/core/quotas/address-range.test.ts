import { isIP } from "node:net";
import { assert, ipV4, ipV6, nat, oneof, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { AddressRanges, parseAddressRange, tiersOf } from "../../../core/quotas/address-tiers.ts";

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
  ["2001:DB8:0:7::1", "2001:db8:0:7::/64"],
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
  "",
  "relay.example",
  "192.0.2",
  "192.0.2.256",
  "192.0.2.7/33",
  "192.0.2.7/",
  "192.0.2.7/24/8",
  "::ffff:192.0.2.7/90",
  "2001:db8::/129",
  "2001:db8::1::2",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8::",
  "12345::",
  "g::",
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
