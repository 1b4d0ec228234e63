import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { readRuleTable } from "../../scripts/tests/rule-table.ts";
import { type Page, readPages } from "./read-pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = readPages();
const BY_PATH = new Map(PAGES.map((page) => [page.path, page]));

interface Link {
  readonly from: string;
  /** From the project's folder. */
  readonly to: string;
  /** Empty where the link names none. */
  readonly anchor: string;
}

const LINKS = PAGES.flatMap(linksOf);

test("every link in a page leads to a file, and every anchor to a heading", () => {
  expect(LINKS.length).toBeGreaterThan(100);
  const dead = LINKS.filter(({ to, anchor }) => {
    if (!existsSync(join(ROOT, to))) return true;
    const page = BY_PATH.get(to);
    return anchor !== "" && (page === undefined || !anchorsOf(page).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test("every picture is shown on some page", () => {
  const pictures = readdirSync(join(ROOT, "docs/images")).map((name) => `docs/images/${name}`);
  const shown = new Set(LINKS.map(({ to }) => to));
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
});

test("every rule that a page names exists", () => {
  const { rules } = readRuleTable();
  const named = PAGES.flatMap(({ path, prose }) =>
    [...prose.matchAll(/(?:\[|[Rr]ule )([A-Z]+\d+)(?: to ([A-Z]+\d+))?\b/g)].flatMap(
      ([, first, last]) =>
        [first, last].flatMap((rule) => (rule === undefined ? [] : [{ path, rule }])),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

function linksOf({ path, prose }: Page): readonly Link[] {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor = ""] = target.split("#");
      const to = file === "" ? path : posix.join(posix.dirname(path), file);
      return { from: path, to, anchor };
    });
}

/** Lists the anchors that GitHub makes of headings. */
function anchorsOf({ prose }: Page): readonly string[] {
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );
}
