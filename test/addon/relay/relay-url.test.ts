import { describe, expect, test } from "vitest";
import { parseRelayUrl } from "../../../addon/relay/relay-url.ts";

describe("the relay's address", () => {
  test.each([
    ["relay.example", "https://relay.example"],
    ["  relay.example:8443/ferry/ ", "https://relay.example:8443/ferry"],
    ["HTTPS://Relay.Example:443/", "https://relay.example"],
    ["http://localhost:4700", "http://localhost:4700"],
    ["http://127.0.0.1:4700/", "http://127.0.0.1:4700"],
    ["http://[::1]:4700", "http://[::1]:4700"],
    ["http://10.1.2.3", "http://10.1.2.3"],
    ["http://172.31.255.255", "http://172.31.255.255"],
    ["http://192.168.0.7:80", "http://192.168.0.7"],
    ["http://169.254.10.10", "http://169.254.10.10"],
    ["http://[fd12::1]:4700", "http://[fd12::1]:4700"],
    ["http://[fe80::1]", "http://[fe80::1]"],
    ["http://[::ffff:10.0.0.1]", "http://[::ffff:a00:1]"],
  ])("[K3] %s is taken as %s", (text, url) => {
    expect(parseRelayUrl(text)).toBe(url);
  });

  test.each([
    "http://relay.example",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://192.169.0.1",
    "http://[2001:db8::1]",
    "http://127.0.0.1.evil.example",
    "http://10.evil.example",
    "http://notlocalhost",
    "http://studio.local",
  ])("[K3] %s is refused: over http a token is for everyone to read", (text) => {
    expect(() => parseRelayUrl(text)).toThrow(/must begin with https:\/\//);
  });

  test.each([
    "",
    "   ",
    "https://",
    "ftp://relay.example",
    "file:///etc",
    "https://a b",
    "x".repeat(254),
  ])("[K3] “%s” is no address", (text) => {
    expect(() => parseRelayUrl(text)).toThrow(/must be the address of a relay/);
  });

  test.each([
    "https://me:pass@relay.example",
    "https://relay.example?x=1",
    "https://relay.example/#x",
  ])("[K3] %s is more than an address", (text) => {
    expect(() => parseRelayUrl(text)).toThrow(/plain address/);
  });
});
