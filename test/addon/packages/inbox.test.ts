import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type InboxEntry, InboxWatch, listInbox } from "../../../addon/packages/inbox.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../../sim/until.ts";

async function setUp() {
  const outside = await temporaryFolder();
  const inbox = join(outside, "Inbox");
  const put = (name: string, title = name) => writeLocalPackage(join(inbox, name), title, ["Kick"]);
  return { outside, inbox, put };
}

/** Returns each folder's name with its title or error. */
function brief(entries: readonly InboxEntry[]): [string, string][] {
  return entries.map((entry) => [
    basename(entry.folder),
    "error" in entry ? entry.error : entry.localPackage.manifest.title,
  ]);
}

test("[R5] the inbox lists its packages by folder; a broken one is listed with its error", async () => {
  const { inbox, put } = await setUp();
  for (const name of ["C", "A", "B"]) await put(name);
  await writeFile(join(inbox, "B", "manifest.json"), "{");
  expect(brief(await listInbox(inbox))).toEqual([
    ["A", "A"],
    ["B", "manifest.json isn't valid JSON (line 1, column 2)."],
    ["C", "C"],
  ]);
});

test("[R5] files, folders without a manifest and links are not packages", async () => {
  const { outside, inbox, put } = await setUp();
  await put("A");
  await mkdir(join(inbox, "Loose sounds"));
  await writeFile(join(inbox, "manifest.json"), "{}");
  await symlink(await writeLocalPackage(join(outside, "Far"), "Far", []), join(inbox, "Link"));
  expect(brief(await listInbox(inbox))).toEqual([["A", "A"]]);
});

test("[R5] a missing inbox is created empty", async () => {
  const { inbox } = await setUp();
  expect(await listInbox(inbox)).toEqual([]);
});

test("[R5] the watched inbox notices packages that come, change and go", async () => {
  const { inbox, put } = await setUp();
  await put("A");
  let seen: [string, string][] = [];
  const watch = await InboxWatch.start(inbox, {
    onChange: (entries) => {
      seen = brief(entries);
    },
    onTrouble: (error) => {
      throw error;
    },
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  expect(seen).toEqual([["A", "A"]]);
  await put("B");
  await until(() => seen.length === 2);
  await put("A", "New title");
  await until(() => seen[0]?.[1] === "New title");
  await rm(join(inbox, "A"), { recursive: true });
  await until(() => seen.length === 1);
  expect(seen).toEqual([["B", "B"]]);
});
