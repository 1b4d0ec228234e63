import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderRevealerOf, revealCallOf, run } from "../../../addon/packages/folder-revealer.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each([
  ["darwin", {}, "finder"],
  ["win32", {}, "explorer"],
  ["linux", { DISPLAY: ":0" }, "folder"],
  ["linux", {}, undefined],
  ["linux", { WAYLAND_DISPLAY: "wayland-0", CI: "true" }, undefined],
  ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["aix", { DISPLAY: ":0" }, undefined],
])("[N12] on %s with %j, folders are shown in %j", (platform, environment, kind) => {
  expect(folderRevealerOf(platform, environment)?.kind).toBe(kind);
});

test("[N12] a folder is one argument, whatever is in its name", () => {
  const folder = `/home/ana/$(touch x) & "Kit", 'b' -R`;
  expect(revealCallOf("finder", folder)).toMatchObject({ program: "open", words: ["-R", folder] });
  expect(revealCallOf("folder", folder)).toMatchObject({ program: "xdg-open", words: [folder] });
  expect(revealCallOf("explorer", "C:\\Users\\Ana B\\Kit, 2")).toMatchObject({
    program: "explorer.exe",
    words: ['/select,"C:\\Users\\Ana B\\Kit, 2"'],
    isVerbatim: true,
  });
});

test("[N12] the program gets the folder without a shell; its failure is a sentence", async () => {
  const path = join(await temporaryFolder(), "argument");
  const writes = `require("fs").writeFileSync(${JSON.stringify(path)}, process.argv[1])`;
  const call = (program: string, code: string) => ({
    program,
    words: ["-e", code, "$HOME & Kit"],
    isVerbatim: false,
    tellsFailure: true,
  });
  await run(call(process.execPath, writes));
  expect(await readFile(path, "utf8")).toBe("$HOME & Kit");
  const sentence = "The folder couldn't be shown.";
  await expect(run(call(process.execPath, "process.exit(3)"))).rejects.toThrow(sentence);
  await expect(run(call(join(path, "no-such-program"), ""))).rejects.toThrow(sentence);
  await run({ ...call(process.execPath, "process.exit(1)"), tellsFailure: false });
});
