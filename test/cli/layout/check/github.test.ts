import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  escapeMarkdown,
  formatAnnotations,
  formatSummary,
  MAX_SUMMARY_BYTES,
  withoutCommands,
} from "../../../../cli/layout/check/github.ts";
import { anyText } from "../../../core/text/any-text.ts";
import { sampleCheck, sampleProblem } from "./sample-checks.ts";

const asIs = (path: string) => path;

test("[B10] an annotation names the manifest, its line and column, the scene, the sound and the difference", () => {
  const atPackage = { sound: null, name: "", sentence: "expected/layout.json is missing." };
  expect(
    formatAnnotations(
      [
        sampleCheck([sampleProblem(), sampleProblem({ severity: "warning", place: null })]),
        sampleCheck([sampleProblem({ ...atPackage, changes: [] })], { scene: null }),
      ],
      (path) => `library/${path}`,
    ),
  ).toEqual([
    "::error file=library/packages/kit/manifest.json,line=4,col=7,title=Kit (App)::Kick: Gain: 0 dB → −3 dB",
    "::error file=library/packages/kit/manifest.json,line=4,col=7,title=packages/kit::expected/layout.json is missing.",
    "::warning file=library/packages/kit/manifest.json,title=Kit (App)::Kick: Gain: 0 dB → −3 dB",
  ]);
});

/** Reads a workflow command as GitHub's runner does: at the first `::` after the properties the message begins. */
function parseCommand(line: string) {
  const [, name = "", list = "", message = ""] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
  const decode = (text: string) =>
    text
      .replaceAll("%0D", "\r")
      .replaceAll("%0A", "\n")
      .replaceAll("%3A", ":")
      .replaceAll("%2C", ",")
      .replaceAll("%25", "%");
  const properties = list.split(",").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), decode(pair.slice(at + 1))];
  });
  return { name, properties: Object.fromEntries(properties), message: decode(message) };
}

test("[B10] no name ends an annotation, a property or a line", () => {
  const say = (text: string): void => {
    const problem = sampleProblem({ name: text, sentence: "Said." });
    const checked = sampleCheck([problem], { scene: text, manifestPath: text });
    const [line = "", ...more] = formatAnnotations([checked], asIs);
    expect(more).toEqual([]);
    expect(line).not.toMatch(/[\r\n]/);
    const { name, properties } = parseCommand(line);
    expect([name, Object.keys(properties)]).toEqual(["error", ["file", "line", "col", "title"]]);
    expect(properties.file).toBe(text);
  };
  say("a:b,c=d%0A::error::x\r\n::add-mask::y");
  say("100%, 50%25");
  fc.assert(fc.property(anyText, say));
});

test("[B10] there are at most ten errors and ten warnings, each package's first before any second, and a notice", () => {
  const many = (count: number, folder: string) =>
    sampleCheck(
      Array.from({ length: count }, (_, index) =>
        sampleProblem({ sentence: `${folder} ${index}` }),
      ).flatMap((problem) => [problem, { ...problem, severity: "warning" as const }]),
    );
  const commands = formatAnnotations([many(30, "a"), many(1, "b"), many(3, "c")], asIs);
  const errors = commands.filter((line) => line.startsWith("::error"));
  const warnings = commands.filter((line) => line.startsWith("::warning"));
  const said = ["a 0", "a 1", "a 2", "a 3", "a 4", "a 5", "b 0", "c 0", "c 1", "c 2"];
  expect(errors.map((line) => line.split(": ").at(-1))).toEqual(said);
  expect(warnings.map((line) => line.split(": ").at(-1))).toEqual(said);
  expect(commands.slice(20)).toEqual([
    "::notice title=Layouts::48 more problems are only in the summary of this step.",
  ]);
});

test("[B10] text between stop and go is no command", () => {
  expect(withoutCommands("::error::x", "secret")).toBe(
    "::stop-commands::secret\n::error::x\n::secret::",
  );
});

test("[B10] the summary has every problem, package by package", () => {
  const lists = sampleProblem({
    label: "Notes",
    changes: [
      ["Old.", "missing"],
      ["missing", "New."],
    ],
  });
  const finding = sampleProblem({
    severity: "warning",
    label: "",
    changes: [],
    sentence: "Clips.",
  });
  const summary = formatSummary(
    [
      sampleCheck([], { scene: "Quiet" }),
      sampleCheck([sampleProblem(), lists, finding]),
      sampleCheck([sampleProblem({ sound: null, name: "", place: null, changes: [], label: "" })], {
        status: "broken",
        scene: null,
      }),
    ],
    "3 packages, 3 sounds: 1 match, 1 different, 1 broken.",
    asIs,
    MAX_SUMMARY_BYTES,
  );
  expect(summary).toContain("## Some layouts differ from the accepted ones");
  expect(summary).toContain("3 packages, 3 sounds: 1 match, 1 different, 1 broken.");
  expect(summary.split("\n").filter((line) => /^(###|\| [^-S])/.test(line))).toEqual([
    "### Kit (App): packages/kit/manifest.json",
    "| Kick | Gain | 0 dB | −3 dB | 4 |",
    "| Kick | Notes | Old. | missing | 4 |",
    "| Kick | Notes | missing | New. | 4 |",
    "| Kick | Warning: Clips. |  |  | 4 |",
    "### packages/kit/manifest.json",
    "| the package | Error: Gain: 0 dB → −3 dB |  |  |  |",
  ]);
  expect(formatSummary([sampleCheck([])], "1 match.", asIs, MAX_SUMMARY_BYTES)).toBe(
    "## All layouts are as accepted\n\n1 match.\n\n",
  );
});

test("[B10] a summary over the limit is cut at a line, with a sentence", () => {
  const problems = Array.from({ length: 20_000 }, () => sampleProblem({ name: "Größe".repeat(9) }));
  const summary = formatSummary([sampleCheck(problems)], "1 package.", asIs, MAX_SUMMARY_BYTES);
  const bytes = Buffer.byteLength(summary);
  expect(bytes).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
  expect(bytes).toBeGreaterThan(MAX_SUMMARY_BYTES - 500);
  const [last, empty, cut] = summary.trimEnd().split("\n").slice(-3);
  expect(last).toMatch(/ \| 4 \|$/);
  expect([empty, cut]).toEqual([
    "",
    "The rest doesn't fit into the summary of a step. Run `soundferry layout --check` to see all.",
  ]);
  for (const room of [0, 50, 100, 200]) {
    const short = formatSummary([sampleCheck(problems)], "1 package.", asIs, room);
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(room);
  }
});

test.each([
  ["a|b", String.raw`a\|b`],
  ["<img src=x>", String.raw`\<img src=x\>`],
  ["**bold** `code` [x](y)", String.raw`\*\*bold\*\* \`code\` \[x\](y)`],
  ["@ana #12 https://x.example", String.raw`\@ana \#12 https\://x.example`],
  ["a\nb\u2028c\u202ed", "a b c d"],
  [String.raw`back\slash`, String.raw`back\\slash`],
  ["&lt;", String.raw`\&lt;`],
])("[B10] %j is plain text in Markdown", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});
