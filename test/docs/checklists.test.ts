import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
const [, CHECKLISTS = ""] = PAGE.split("\n## Checklists\n");

test("CONTRIBUTING has a checklist for each of the usual changes, and all its paths exist", () => {
  const titles = [...CHECKLISTS.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["A manifest field", "A store", "A host", "A limit", "A panel screen"]);
  const paths = [...CHECKLISTS.matchAll(/`(\.?\w[\w.-]*\/[\w./-]*|\.env\.example)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("every step of a checklist names a file, a folder or a command", () => {
  const steps = [...CHECKLISTS.matchAll(/^\d\. (.*)$/gm)].map(([, step = ""]) => step);
  expect(steps.length).toBeGreaterThan(25);
  expect(steps.filter((step) => !/^`(npm run |\.?\w)/.test(step))).toEqual([]);
});
