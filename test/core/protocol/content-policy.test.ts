import { expect, test } from "vitest";
import { contentPolicyFor } from "../../../core/protocol/content-policy.ts";

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
