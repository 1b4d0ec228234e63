import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_ERROR_UNITS } from "../../../core/limits.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { contentPolicyFor } from "../../../core/protocol/content-policy.ts";
import { isAllowedHost, needsHostCheck } from "../../../core/protocol/judge-host.ts";

const PAGE = readFileSync(new URL("../../../docs/use/errors.md", import.meta.url), "utf8");

test("[E3] every refusal fits the limit and is documented with its status and sentence", () => {
  const documented = [...PAGE.matchAll(/^\| `([A-Z0-9_]+)` \| (\d+) \| (.+) \|$/gm)].map(
    ([, code, status, sentence]) => [code, Number(status), sentence],
  );
  const table = Object.entries(REFUSALS).map(([code, { status, sentence }]) => [
    code,
    status,
    sentence,
  ]);
  expect(documented).toEqual(table);
  expect(table.filter(([, , sentence]) => String(sentence).length > MAX_ERROR_UNITS)).toEqual([]);
});

test("[E3] a refusal has its code, status, filled sentence and extras", () => {
  const extras = { retryAfterSeconds: 7, body: { expires_in: 7 } };
  const refused = refusal("RUN_ELSEWHERE", { seconds: 7 }, extras);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ name: "Refusal", code: "RUN_ELSEWHERE", status: 409, extras });
  expect(refused.message).toBe("Another import is running. Try again in 7 s.");
  expect(refusal("NOT_JSON")).toMatchObject({ status: 400, extras: {} });
});

test("[E1] shortens a long name until the sentence has exactly 80 units", () => {
  const { message } = refusal("WAV_CUT_SHORT", { file: `${"x".repeat(100)}.wav` });
  expect(message).toBe(`${"x".repeat(37)}…: the file is incomplete. Export it again.`);
  expect(message).toHaveLength(80);
  const fitting = "x".repeat(38);
  expect(refusal("WAV_CUT_SHORT", { file: fitting }).message).toBe(
    `${fitting}: the file is incomplete. Export it again.`,
  );
});

test("[E1] shortens the longer of two names first, the other only if necessary", () => {
  const sound = 'Sound 3 "Kick"';
  const { message } = refusal("FILE_TWICE", { sound, file: `${"y".repeat(60)}.wav` });
  expect(message).toBe(`${sound}: another sound already uses ${"y".repeat(35)}….`);
  const both = refusal("FILE_TWICE", { sound: "s".repeat(90), file: "y".repeat(95) });
  expect(both.message).toHaveLength(80);
  expect(both.message).toMatch(/^s+…: another sound already uses y*…\.$/);
  const turned = refusal("FILE_TWICE", { sound: "s".repeat(95), file: "y".repeat(10) });
  expect(turned.message).toMatch(/^s+…: another sound already uses y{10}\.$/);
});

test("[E1] params can't break the line or change its direction", () => {
  const { message } = refusal("FILE_UNKNOWN", { file: "a\r\nb\u202ec\u2028d" });
  expect(message).toBe("The package has no file a b c d.");
});

test("[E1] doesn't fill braces in a name", () => {
  expect(refusal("FILE_UNKNOWN", { file: "{file}" }).message).toBe(
    "The package has no file {file}.",
  );
});

/** Stands for a digest: what is digested can be read in it. */
const digest = (text: string) => `<${text}>`;
const REST =
  "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test("the policy allows exactly the page's inline scripts and styles", () => {
  const html =
    '<head><style>a{}</style></head><script type="module">one()\n</script><script>two()</script>';
  expect(contentPolicyFor(html, digest)).toBe(
    "default-src 'none'; script-src 'sha256-<one()\n>' 'sha256-<two()>'; style-src 'sha256-<a{}>'; " +
      REST,
  );
});

test("[N10] the policy allows one worklet by its exact address, and WebAssembly for it", () => {
  const workletUrl = "http://127.0.0.1:4701/stretch.js";
  expect(contentPolicyFor("<script>one()</script>", digest, { workletUrl })).toBe(
    `default-src 'none'; script-src 'sha256-<one()>' 'wasm-unsafe-eval' ${workletUrl}; style-src; ` +
      REST,
  );
});

test("[Y11] the policy of a page that listens allows Workers of its own server", () => {
  expect(contentPolicyFor("<script>one()</script>", digest, { hasWorkers: true })).toContain(
    "style-src; worker-src 'self'; connect-src 'self'",
  );
});

test("the policy of a page without scripts allows none", () => {
  expect(contentPolicyFor("<p>script</p><scripted>x</scripted>", digest)).toBe(
    `default-src 'none'; script-src; style-src; ${REST}`,
  );
});

test("a style that contains a script tag counts as one style", () => {
  expect(contentPolicyFor("<style>/* <script>x</script> */</style>", digest)).toContain(
    "script-src; style-src 'sha256-</* <script>x</script> */>'",
  );
});

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
  ...(
    "127.0.0.1 ::1 ::ffff:127.0.0.1 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 169.254.1.1 " +
    "100.64.0.1 100.127.255.255 fd12::1 fc00::1 fe80::1%en0 febf::1 ::ffff:10.1.2.3"
  ).split(" "),
  undefined,
])("[C4] names are checked at %s", (localAddress) => {
  expect(needsHostCheck({ localAddress, isEncrypted: false })).toBe(true);
});

test.each(
  (
    "203.0.113.9 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1 " +
    "12.16.0.1 193.168.0.1 169.253.1.1 168.254.1.1 101.64.0.1 2001:fd00::1 2001:db8::1 fec0::1 ff02::1"
  ).split(" "),
)("[C4] names are not checked at the public address %s", (localAddress) => {
  expect(needsHostCheck({ localAddress, isEncrypted: false })).toBe(false);
});

test("[C4] a certificate proves the name in a private network, and nothing on this computer", () => {
  const isChecked = (localAddress: string) => needsHostCheck({ localAddress, isEncrypted: true });
  expect(["10.0.0.1", "fd12::1"].map(isChecked)).toEqual([false, false]);
  expect(["127.0.0.1", "::1"].map(isChecked)).toEqual([true, true]);
});
