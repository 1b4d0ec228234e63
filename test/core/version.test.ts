import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../core/version.ts";

test("the version in the code matches package.json", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(text)).toMatchObject({ version: VERSION });
});
