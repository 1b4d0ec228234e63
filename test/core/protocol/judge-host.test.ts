import { expect, test } from "vitest";
import { isAllowedHost, needsHostCheck } from "../../../core/protocol/judge-host.ts";

const NAMES = ["relay.example.com", "*.apps.example", "[2001:db8::7]"];

test.each(
  (
    "localhost LOCALHOST:4700 panel.localhost 127.0.0.1:4700 127.9.8.7 [::1]:4700 " +
    "localhost. relay.example.com Relay.Example.Com.:443 one.apps.example " +
    "two.one.apps.example [2001:DB8::7] 192.168.1.20:4700"
  ).split(" "),
)("[C4] the relay has the name %s", (host) => {
  expect(isAllowedHost(host, NAMES, "::ffff:192.168.1.20")).toBe(true);
});

test.each([
  ...(
    "evil.example 127.evil.example 127.0.0.1.evil.example localhost.evil.example " +
    "evillocalhost relay.example.com.evil.example xrelay.example.com apps.example " +
    "evilapps.example *.apps.example localhost@evil.example evil.example/localhost " +
    "evil.example#.localhost 127.0.0.1:4700:80 [::1 ::1 192.168.1.21 2130706433 " +
    "localhost.. ."
  ).split(" "),
  "evil.example .localhost",
  "",
])("[C4] the relay doesn't have the name %o", (host) => {
  expect(isAllowedHost(host, NAMES, "192.168.1.20")).toBe(false);
});

test("[C4] the address that a connection was made to is a name, in IPv6 too", () => {
  expect(isAllowedHost("[fd00::12]:4700", [], "fd00::12")).toBe(true);
  expect(isAllowedHost("[fe80::12]", [], "fe80::12%eth0")).toBe(true);
  expect(isAllowedHost("[fd00::13]", [], "fd00::12")).toBe(false);
  expect(isAllowedHost("192.168.1.20", [], undefined)).toBe(false);
});

test.each([
  "127.0.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.1.1",
  "100.64.0.1",
  "100.127.255.255",
  "fd12::1",
  "fc00::1",
  "fe80::1%en0",
  "febf::1",
  "::ffff:10.1.2.3",
  undefined,
])("[C4] names are checked at %s", (localAddress) => {
  expect(needsHostCheck({ localAddress, isEncrypted: false })).toBe(true);
});

test.each(
  (
    "203.0.113.9 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1 " +
    "2001:db8::1 fec0::1 ff02::1"
  ).split(" "),
)("[C4] names are not checked at the public address %s", (localAddress) => {
  expect(needsHostCheck({ localAddress, isEncrypted: false })).toBe(false);
});

test("[C4] a certificate proves the name in a private network, and nothing on this computer", () => {
  const isChecked = (localAddress: string) => needsHostCheck({ localAddress, isEncrypted: true });
  expect(["10.0.0.1", "fd12::1"].map(isChecked)).toEqual([false, false]);
  expect(["127.0.0.1", "::1"].map(isChecked)).toEqual([true, true]);
});
