import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONGEST } from "./longest-first.ts";

test("every file that is to start early is there", () => {
  const isMissing = (file: string) => !existsSync(join(import.meta.dirname, "../..", file));
  expect(LONGEST.filter(isMissing)).toEqual([]);
});
