import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStoreFiles } from "./store-files.ts";

const STORES = join(import.meta.dirname, "../../docs/examples/stores");
const shown = readStoreFiles();

test("docs/build/stores.md shows every file of docs/examples/stores, and no other", () => {
  expect([...shown.keys()].toSorted()).toEqual(readdirSync(STORES).toSorted());
});

test.each([...shown])(
  "docs/build/stores.md shows %s as it is, with the package's imports",
  (name, text) => {
    const source = readFileSync(join(STORES, name), "utf8").replaceAll("\r\n", "\n");
    const asStranger = source.replaceAll(
      /"(?:\.\.\/){3}(relay|test\/contracts\/relay)\/index\.ts"/g,
      (_, room) => (room === "relay" ? '"soundferry/relay"' : '"soundferry/relay/testing"'),
    );
    expect(text).toBe(asStranger);
  },
);
