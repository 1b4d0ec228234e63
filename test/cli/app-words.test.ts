import { expect, test } from "vitest";
import { appWords } from "../../cli/run-command.ts";

const START = ["up", "--host", "live", "--open"];

test.each([
  [[], START],
  [["--no-open"], [...START, "--no-open"]],
  [
    ["--port", "0"],
    [...START, "--port", "0"],
  ],
])("[K8] without a subcommand, %j starts everything and opens the panel", (words, runs) => {
  expect(appWords(words)).toEqual(runs);
});

test.each([
  [["up"]],
  [["send", "kit"]],
  [["--help"]],
  [["-h"]],
  [["--version"]],
  [["-V"]],
  [["typo"]],
])("[K8] %j is left alone", (words) => {
  expect(appWords(words)).toEqual(words);
});
