import { describe, expect, test } from "vitest";
import { makeMachine, runOnce } from "./run-soundferry.ts";
import { formatVerdict } from "../../cli/commands/doctor.ts";
import { nearestOf } from "../../cli/nearest-of.ts";
import { appWords } from "../../cli/run-command.ts";
import { SUBCOMMANDS } from "../../cli/subcommands.ts";
import { VERSION } from "../../core/version.ts";
import { transform } from "esbuild";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OLDEST_NODE } from "../../cli/doctor/oldest-node.cjs";

const TOP = Object.keys(SUBCOMMANDS);
const IMPORTER_SUBCOMMANDS = ["code", "apps", "unpair", "packages", "import"];

describe("help", () => {
  test("[K1][K2] the command lists every subcommand", async () => {
    const { status, stdout } = await runOnce(["--help"]);
    expect(status).toBe(0);
    for (const name of TOP) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test.each([...TOP, ...IMPORTER_SUBCOMMANDS.map((name) => `importer ${name}`)])(
    "[K1] %s --help explains itself on stdout",
    async (words) => {
      const { status, stdout, stderr } = await runOnce([...words.split(" "), "--help"]);
      expect(stdout).toContain(`Usage: soundferry ${words}`);
      expect(stdout).toContain("--json");
      expect(stderr).toBe("");
      expect(status).toBe(0);
    },
  );

  test("[K1] help <subcommand> prints the same", async () => {
    await using machine = await makeMachine();
    const [one, other] = await Promise.all([
      machine.runInside(["help", "send"]),
      machine.runInside(["send", "--help"]),
    ]);
    expect(one).toEqual(other);
  });
});

describe("wrong use", () => {
  test.each([
    { words: [], says: "Usage:" },
    { words: ["ferry"], says: "unknown command 'ferry'" },
    { words: ["send"], says: "missing required argument" },
    { words: ["send", "--frobnicate"], says: "unknown option '--frobnicate'" },
    { words: ["send", "package.json"], says: "is not a WAV file" },
    { words: ["send", "test", "fixtures"], says: "Send either one folder or WAV files" },
    { words: ["layout"], says: "missing required argument" },
    { words: ["layout", "x", "--check", "--update"], says: "cannot be used with" },
    { words: ["importer", "frobnicate"], says: "unknown command 'frobnicate'" },
    { words: ["send", "a.wav", "--bpm", "fast"], says: "A tempo is a number from 20 to 999." },
    { words: ["importer", "import"], says: "--all" },
    { words: ["importer", "unpair"], says: "missing required argument" },
    { words: ["importer", "import", "--all", "--host", "cubase"], says: "preview" },
    { words: ["importer", "--host", "dawproject"], says: "live, folder or preview" },
    { words: ["up", "--host", "dawproject"], says: "live, folder or preview" },
    { words: ["up", "--code", "K7MQ2X"], says: "--auto-import" },
    { words: ["relay", "--port", "high"], says: "SOUNDFERRY_PORT must be a whole number" },
  ])("[K1] exits 2 and says on stderr what is wrong: $words", async ({ words, says }) => {
    const { status, stdout, stderr } = await runOnce(words);
    expect(stderr).toContain(says);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test("[K1] with --json even a failure is one JSON value on stdout", async () => {
    await using machine = await makeMachine();
    const [wrong, failed] = await Promise.all([
      machine.runInside(["relay", "--json", "--port", "high", "--calls-per-minute", "0"]),
      machine.runInside(["send", "nowhere.wav", "--json"]),
    ]);
    expect(JSON.parse(wrong.stdout)).toEqual({
      error: expect.stringMatching(/SOUNDFERRY_PORT .*\nSOUNDFERRY_CALLS_PER_MINUTE /),
      code: "WRONG_USE",
    });
    expect(wrong.status).toBe(2);
    expect(JSON.parse(failed.stdout)).toEqual({ error: "nowhere.wav can't be found." });
    expect(failed.stderr).toBe("nowhere.wav can't be found.\n");
    expect(failed.status).toBe(1);
  });
});

test.each([
  { words: "imprt", meant: "importer" },
  { words: "sned a.wav", meant: "send" },
  { words: "gess a.wav", meant: "guess" },
  { words: "importer packges", meant: "packages" },
  { words: "importer --host preview imprt --all", meant: "import" },
  { words: "live instal", meant: "install" },
  { words: "help importer packges", meant: "packages" },
  { words: "help doctr", meant: "doctor" },
  { words: "packages", meant: "importer packages" },
  { words: "send a.wav --rely x", meant: "--relay" },
])("[K1] $words: did you mean $meant?", async ({ words, meant }) => {
  const { status, stdout, stderr } = await runOnce(words.split(" "));
  expect(stderr).toContain(`(Did you mean ${meant}?)`);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

test("[K1] what is near nothing gets no suggestion, and --json one value", async () => {
  const { stdout, stderr, status } = await runOnce(["live", "xyzzy", "--json"]);
  expect(stderr).not.toContain("Did you mean");
  expect(JSON.parse(stdout)).toEqual({ error: "unknown command 'xyzzy'", code: "WRONG_USE" });
  expect(status).toBe(2);
});

const NAMES = ["up", "relay", "importer", "live", "send", "guess", "layout", "importer packages"];

test("[K1] the nearest name counts letters left out, added, replaced and swapped", () => {
  const meant = (typed: string) => nearestOf(typed, NAMES);
  expect(["sned", "sen", "sendd", "sand", "SEND"].map(meant)).toEqual(Array(5).fill("send"));
  expect(["imprt", "improter", "package", "lyout"].map(meant)).toEqual([
    "importer",
    "importer",
    "importer packages",
    "layout",
  ]);
  expect(["xyzzy", "", "u", "doctor"].map(meant)).toEqual(Array(4).fill(undefined));
});

test("[K1] doctor's verdict doesn't call well what it notes", () => {
  expect(formatVerdict(0, 0)).toBe("No problems found.");
  expect(formatVerdict(0, 1)).toBe("Nothing stops Soundferry, but see the 1 note above.");
  expect(formatVerdict(1, 0)).toBe("1 problem found.");
  expect(formatVerdict(2, 2)).toBe("2 problems and 2 notes found.");
});

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

/** A Node that claims to be older. */
const OLD_NODE = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });',
  )}`,
};
const CLI = join(import.meta.dirname, "../../cli");
const INSTALLED = join(CLI, "soundferry.cjs");

test("[K1][K6] reports a Node that is too old in a sentence, and with --json as a value", async () => {
  await using machine = await makeMachine([process.execPath, INSTALLED]);
  const { status, stdout, stderr } = await machine.run(["doctor", "--json"], OLD_NODE);
  const error = `Soundferry needs Node ${OLDEST_NODE} or later; this is Node 20.1.0. Install a newer one.`;
  expect(stderr).toBe(`${error}\n`);
  expect(JSON.parse(stdout)).toEqual({ error });
  expect(status).toBe(1);
});

test("[K6] on this Node, the installed command is the checkout's", async () => {
  await using machine = await makeMachine([process.execPath, INSTALLED]);
  const { status, stdout } = await machine.run(["--version"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${VERSION}\n` });
});

test("[K6] what the installed command reads before that sentence has no word that Node 10 doesn't know", async () => {
  const { bin } = createRequire(import.meta.url)("../../package.json");
  expect(bin).toEqual({ soundferry: "dist/lib/cli/soundferry.cjs" });
  const source = await readFile(INSTALLED, "utf8");
  const read = [...source.matchAll(/require\("(.+?)"\)/g)].map(([, path = ""]) => join(CLI, path));
  expect(read).toHaveLength(1);
  for (const path of [INSTALLED, ...read]) {
    const text = await readFile(path, "utf8");
    expect(text.match(/require\("node:|^import /gm)).toBeNull();
    // What an older language lacks would be written in other words.
    const [old, today] = await Promise.all(
      ["es2018", "esnext"].map((target) => transform(text, { target })),
    );
    expect(old?.code).toBe(today?.code);
  }
});
