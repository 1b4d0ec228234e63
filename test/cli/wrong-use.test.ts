import { describe, expect, test } from "vitest";
import { makeMachine } from "./run-soundferry.ts";

const SUBCOMMANDS = [
  "up",
  "relay",
  "admin",
  "importer",
  "send",
  "guess",
  "layout",
  "preview",
  "doctor",
];
const IMPORTER_SUBCOMMANDS = ["code", "apps", "unpair", "packages", "import"];

describe("help", () => {
  test("[K1][K2] the command lists every subcommand", async () => {
    await using machine = await makeMachine();
    const { status, stdout } = await machine.runInside(["--help"]);
    expect(status).toBe(0);
    for (const name of SUBCOMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test.each([...SUBCOMMANDS, ...IMPORTER_SUBCOMMANDS.map((name) => `importer ${name}`)])(
    "[K1] %s --help explains itself on stdout",
    async (words) => {
      await using machine = await makeMachine();
      const { status, stdout, stderr } = await machine.runInside([...words.split(" "), "--help"]);
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
    { words: ["importer", "--host", "dawproject"], says: "live or preview" },
    { words: ["up", "--host", "dawproject"], says: "live or preview" },
    { words: ["up", "--code", "K7MQ2X"], says: "--auto-import" },
    { words: ["relay", "--port", "high"], says: "SOUNDFERRY_PORT must be a whole number" },
  ])("[K1] exits 2 and says on stderr what is wrong: $words", async ({ words, says }) => {
    await using machine = await makeMachine();
    const { status, stdout, stderr } = await machine.runInside(words);
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
