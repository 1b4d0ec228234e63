import { expect, test } from "vitest";
import { kindOf } from "../../scripts/tests/test-kinds.ts";
import { parseTestWords } from "../../scripts/tests/test-words.ts";

test("a rule becomes the files that name it and the title", () => {
  const { words } = parseTestWords(["--project", "pure", "[U4]"]);
  expect(words.slice(0, 4)).toEqual(["--project", "pure", "-t", "\\[(?:U4)\\]"]);
  expect(words).toContain("test/core/audio/accepted.test.ts");
  expect(words.slice(4).every((word) => word.endsWith(".test.ts"))).toBe(true);
  expect(words.length).toBeLessThan(60);
});

test("everything else is Vitest's", () => {
  const words = ["test/core/audio", "-t", "reads", "--retry=2"];
  expect(parseTestWords(words)).toEqual({ words, withNames: false });
  expect(parseTestWords(["--names", "test"])).toEqual({ words: ["test"], withNames: true });
});

test("an unknown rule is refused, with those that begin alike", () => {
  expect(() => parseTestWords(["U999"])).toThrow(/^There is no rule U999\. Those with U are U1, /);
  expect(() => parseTestWords(["QQ1"])).toThrow(
    "There is no rule QQ1. The pages in docs/ have them all.",
  );
});

test.each([
  ["test/core/a.test.ts", "npm test"],
  ["test/core/a.slow.test.ts", "npm run test:slow"],
  ["test/core/a.scaled.test.ts", "npm run test:slow"],
  ["test/a.scaled.nightly.test.ts", "npm run test:nightly"],
])("%s runs with %s", (path, command) => {
  expect(kindOf(path).command).toBe(command);
});
