import { once } from "node:events";
import { expect, test } from "vitest";
import {
  formOf,
  listOwnFiles,
  namesIn,
  PROGRAM_FORM,
  readOwnFile,
  startOwnThread,
} from "../../program/own-files.ts";

test.each([
  ["/home/ada/soundferry/program/own-files.ts", false, "checkout"],
  ["/usr/lib/node_modules/soundferry/dist/lib/program/own-files.js", false, "package"],
  ["/home/ada/Soundferry", true, "app"],
  ["/home/ada/sound.ts", true, "app"],
] as const)("%s, as an executable: %s, is of the form %s", (filename, isExecutable, form) => {
  expect(formOf(filename, isExecutable)).toBe(form);
});

test("in a checkout, its files are the program's own", async () => {
  expect(PROGRAM_FORM).toBe("checkout");
  const names = await listOwnFiles("program");
  expect(names).toEqual([
    "batch-writer.ts",
    "closing-stack.ts",
    "file-lock.ts",
    "flush-folder.ts",
    "make-folder.ts",
    "node-http.ts",
    "own-files.ts",
    "stretch-module.ts",
    "try-folder.ts",
    "user-data-folder.ts",
  ]);
  const text = new TextDecoder().decode(await readOwnFile("program/own-files.ts"));
  expect(text).toContain("export async function readOwnFile");
  await expect(readOwnFile("program/no-such-file.ts")).rejects.toThrow("ENOENT");
});

test("of an executable's files, a folder holds those whose paths begin with it", () => {
  const paths = ["a/b/one.py", "a/b/two.py", "a/b/c/three.py", "a/bb/four.py", "panel.html"];
  expect(namesIn("a/b", paths)).toEqual(["one.py", "two.py"]);
  expect(namesIn("b", paths)).toEqual([]);
});

test("a thread that can't start says why", async () => {
  const thread = startOwnThread("program/no-such-thread", null);
  const [error] = await once(thread, "error");
  expect(String(error)).toContain("no-such-thread.ts");
});
