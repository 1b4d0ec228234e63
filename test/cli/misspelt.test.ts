import { expect, test } from "vitest";
import { makeMachine } from "./run-soundferry.ts";

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
  await using machine = await makeMachine();
  const { status, stdout, stderr } = await machine.runInside(words.split(" "));
  expect(stderr).toContain(`(Did you mean ${meant}?)`);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

test("[K1] what is near nothing gets no suggestion, and --json one value", async () => {
  await using machine = await makeMachine();
  const { stdout, stderr, status } = await machine.runInside(["live", "xyzzy", "--json"]);
  expect(stderr).not.toContain("Did you mean");
  expect(JSON.parse(stdout)).toEqual({ error: "unknown command 'xyzzy'", code: "WRONG_USE" });
  expect(status).toBe(2);
});
