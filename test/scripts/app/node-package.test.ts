import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isIntact } from "../../../scripts/app/node-package.ts";

test("[K8] a download is taken only with the hash that is pinned", () => {
  const bytes = Buffer.from("node");
  const pinned = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  expect(isIntact(bytes, pinned)).toBe(true);
  expect(isIntact(Buffer.from("nodf"), pinned)).toBe(false);
  expect(isIntact(bytes, `${pinned.slice(0, -4)}AA==`)).toBe(false);
});
