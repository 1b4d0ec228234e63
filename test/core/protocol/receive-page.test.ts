import { expect, test } from "vitest";
import { receivePageOf } from "../../../core/protocol/receive-page.ts";

test.each([
  ["https://relay.example", "https://relay.example/receive"],
  ["https://relay.example/folder/", "https://relay.example/folder/receive"],
  ["https://192.168.1.20:4700", "https://192.168.1.20:4700/receive"],
  ["http://127.0.0.1:4700", "http://127.0.0.1:4700/receive"],
  ["http://localhost:4700", "http://localhost:4700/receive"],
  ["http://[::1]:4700", "http://[::1]:4700/receive"],
])("[G27][W55] at %s, browsers receive at %s", (relayUrl, page) => {
  expect(receivePageOf(relayUrl)).toBe(page);
});

test.each([
  "http://192.168.1.20:4700",
  "http://10.0.0.4:4700",
  "http://[fd00::1]:4700",
  "http://studio.local:4700",
  "http://relay.example",
  "http://127.0.0.1.example",
  "",
  "relay",
])("[G27][W55] at %j, no browser receives", (relayUrl) => {
  expect(receivePageOf(relayUrl)).toBeNull();
});
