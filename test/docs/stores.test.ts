import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStoreFiles } from "./store-files.ts";

const STORES = join(import.meta.dirname, "../../examples/stores");
const shown = readStoreFiles();

test("docs/build/stores.md shows every file of examples/stores, and no other", () => {
  expect([...shown.keys()].toSorted()).toEqual(readdirSync(STORES).toSorted());
});

test.each([...shown])(
  "docs/build/stores.md shows %s as it is, with the package's imports",
  (name, text) => {
    const source = readFileSync(join(STORES, name), "utf8").replaceAll("\r\n", "\n");
    const asStranger = source.replaceAll(/"\.\.\/\.\.\/(relay.*?)\/index\.ts"/g, '"soundferry/$1"');
    expect(text).toBe(asStranger);
  },
);
