import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBrowser, type Opener, openerOf } from "../../../cli/commands/importer/open-panel.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { soon } from "../../sim/soon.ts";

const PANEL = "http://127.0.0.1:4701/#secret";

test.each([
  ["darwin", {}, ["open"]],
  ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
  ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
  ["linux", {}, undefined],
  ["linux", { DISPLAY: "" }, undefined],
  ["linux", { DISPLAY: ":0", CI: "true" }, undefined],
  ["darwin", { CI: "1" }, undefined],
  ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["win32", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["aix", { DISPLAY: ":0" }, undefined],
])("[K7] on %s with %j, it starts %j", (platform, environment, opener) => {
  expect(openerOf(platform, environment)).toEqual(opener);
});

/** A “browser” that does this with the address in `at`. */
const browser = (code: string): Opener => [
  process.execPath,
  "-e",
  `const at = process.argv[1]; ${code}`,
];

test("[K7] the browser's arguments lead to the panel once, and don't contain its secret", async () => {
  const path = join(await temporaryFolder(), "address");
  const writes = browser(`require("fs").writeFileSync(${JSON.stringify(path)}, at + "\\n")`);
  const failures: string[] = [];
  using opening = await openBrowser(PANEL, writes, () => failures.push("failed"));
  await soon(() => readFile(path, "utf8").catch(() => "")).toMatch(/\n$/);
  const address = (await readFile(path, "utf8")).trim();
  expect(address).not.toContain("secret");

  const guess = await fetch(new URL("/guess", address), { redirect: "manual" });
  expect(guess.status).toBe(404);
  const first = await fetch(address, { redirect: "manual" });
  expect([first.status, first.headers.get("location")]).toEqual([302, PANEL]);
  await opening.done;
  await expect(fetch(address)).rejects.toThrow();
  expect(failures).toEqual([]);
});

test.each([
  ["isn't there", ["/no/such/browser"]],
  ["fails", browser("process.exitCode = 3")],
] as const)("[K7] a browser that %s is reported once", async (_, opener) => {
  const failures: string[] = [];
  using opening = await openBrowser(PANEL, opener, () => failures.push("failed"));
  await opening.done;
  expect(failures).toEqual(["failed"]);
});

test("[K7] a browser that ends with an error after it showed the page is no failure", async () => {
  const failures: string[] = [];
  const visits = browser('fetch(at, { redirect: "manual" }).then(() => process.exit(3))');
  using opening = await openBrowser(PANEL, visits, () => failures.push("failed"));
  await opening.done;
  expect(failures).toEqual([]);
});
