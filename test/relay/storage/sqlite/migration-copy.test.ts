import { cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { MIGRATIONS } from "../../../../relay/storage/sqlite/schema.ts";
import { temporaryFolder } from "./open-sqlite.ts";

const OLD = join(import.meta.dirname, "../../../../fixtures/data-0.1.0/relay/relay.sqlite");
const COPY = `relay.sqlite.before-${MIGRATIONS.length}`;

async function oldFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await cp(OLD, join(folder.path, "relay.sqlite"));
  return folder.path;
}

const copiesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.includes("before-")).toSorted();

function packagesIn(path: string): unknown {
  using database = new DatabaseSync(path, { readOnly: true });
  return {
    version: database.prepare("PRAGMA user_version").get(),
    packages: database.prepare("SELECT package_id, uploaded FROM packages ORDER BY 1").all(),
  };
}

test("[Z12] the database of 0.1.0 is copied before it is migrated, and as it was", async () => {
  const folder = await oldFolder();
  openForWriting(folder).close();
  const copy = join(folder, COPY);
  expect(packagesIn(copy)).toEqual(packagesIn(OLD));
  if (process.platform !== "win32") expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const { mtimeMs } = await stat(copy);
  openForWriting(folder).close();
  expect((await stat(copy)).mtimeMs, "a migrated database is not copied again").toBe(mtimeMs);
});

test("[Z12] a new database is not copied", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  openForWriting(folder.path).close();
  expect(await copiesIn(folder.path)).toEqual([]);
});

test("[Z12] the last two copies are kept, and what a crash left of one is replaced", async () => {
  const folder = await oldFolder();
  const names = ["relay.sqlite.before-1", "relay.sqlite.before-2", `${COPY}.part`];
  for (const name of names) await writeFile(join(folder, name), "earlier");
  openForWriting(folder).close();
  expect(await copiesIn(folder)).toEqual(["relay.sqlite.before-2", COPY].toSorted());
});

test("[Z12] a database that can't be copied is not migrated, and the sentence says what to do", async () => {
  const folder = await oldFolder();
  await mkdir(join(folder, COPY));
  expect(() => openForWriting(folder)).toThrow(
    /can't be copied to .*before-\d+ first .* Nothing was changed\. Free some space/,
  );
  expect(packagesIn(join(folder, "relay.sqlite"))).toEqual(packagesIn(OLD));
  expect(await copiesIn(folder)).toEqual([COPY]);
});
