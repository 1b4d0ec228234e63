import type { Part } from "./parts.ts";

const START = "<!-- nightly -->\n";
const END = "<!-- end -->";
const NEVER = "–";

/** The result of a part's last run. */
export interface Figures {
  readonly seconds: number;
  /** undefined if it has no test files. */
  readonly tests: number | undefined;
  readonly failures: number;
  /** Such as `2026-11-28`. */
  readonly date: string;
  /** The commit's short name. */
  readonly commit: string;
}

/** Puts a part's figures into the table of docs/build/testing.md, and keeps those of the others. */
export function fillTable(
  page: string,
  parts: readonly Part[],
  ran: ReadonlyMap<string, Figures> = new Map(),
): string {
  const before = cellsOf(page);
  const rows = parts.map((part) => {
    const figures = ran.get(part.name);
    const cells = figures === undefined ? before.get(part.name) : formatFigures(figures);
    return [`\`${part.name}\``, ...(cells ?? Array<string>(5).fill(NEVER))];
  });
  const head = ["Part", "Seconds", "Tests", "Result", "Date", "Commit"];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const [from, to] = placeIn(page);
  return `${page.slice(0, from)}\n${lines.join("\n")}\n\n${page.slice(to)}`;
}

/** The commits at which parts last ran; without those that never did. */
export function lastCommits(page: string): ReadonlyMap<string, string> {
  const commits = [...cellsOf(page)].map(([name, cells]) => [name, cells.at(-1) ?? NEVER] as const);
  return new Map(commits.filter(([, commit]) => commit !== NEVER));
}

function formatFigures({ seconds, tests, failures, date, commit }: Figures): readonly string[] {
  const result = failures === 0 ? "passed" : `${failures} failed`;
  return [seconds.toFixed(0), String(tests ?? NEVER), result, date, commit];
}

/** Each row's last five cells, by its part's name. */
function cellsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = page.slice(...placeIn(page)).matchAll(/^\| `([^`]+)` \|.*\|$/gm);
  return new Map(
    Array.from(rows, ([row, name = ""]) => [name, row.slice(2, -2).split(" | ").slice(-5)]),
  );
}

/** @throws {Error} where the page has no table */
function placeIn(page: string): [from: number, to: number] {
  const from = page.indexOf(START) + START.length;
  const to = page.indexOf(END, from);
  if (from < START.length || to < 0) throw new Error("docs/build/testing.md has no nightly table.");
  return [from, to];
}
