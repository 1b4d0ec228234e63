import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPages } from "./read-pages.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A file or folder of the project between backticks, such as `core/limits.ts` or `relay/http/`. */
const PATH =
  /`((?:addon|cli|client|core|docs|fixtures|pages|program|relay|scripts|test)\/[\w./-]+)`/g;
/** Places that only a build or an example makes. */
const NOT_HERE = /^(?:docs|relay|client)\/(?:llms|plain)|^test\/(?:x|…)\//;

test("every file and folder of the project that a page names exists", () => {
  const missing = readPages()
    .filter(({ path }) => path !== "CHANGELOG.md")
    .flatMap(({ path, prose }) =>
      [...prose.matchAll(PATH)]
        .map(([, named = ""]) => named)
        .filter((named) => !NOT_HERE.test(named) && !existsSync(join(ROOT, named)))
        .map((named) => `${path}: ${named}`),
    );
  expect(missing).toEqual([]);
});

test("the reading path has ten files for the relay and for the importer, at most 1,500 lines each", () => {
  const page = readFileSync(join(ROOT, "docs/reading.md"), "utf8");
  const [, relay = "", importer = ""] = page.split(/^## /m);
  for (const list of [relay, importer]) {
    const files = [...list.matchAll(/^\d+\. \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].map(
      ([, path]) => path ?? "",
    );
    const lines = files.map(
      (file) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1,
    );
    expect(files).toHaveLength(10);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1500);
  }
});
