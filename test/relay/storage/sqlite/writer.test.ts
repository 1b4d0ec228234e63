import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { changeFinder } from "../../../../relay/storage/sqlite/writer.ts";
import { temporaryFolder } from "./open-sqlite.ts";

test("[J7] commits of other connections are found once each, and the connection's own never", async () => {
  await using folder = await temporaryFolder();
  using own = openForWriting(folder.path);
  using other = openForWriting(folder.path);
  const onChange = vi.fn<() => void>();
  const findChange = changeFinder(own, onChange);

  own.exec("CREATE TABLE made_here (x)");
  findChange();
  expect(onChange).not.toHaveBeenCalled();

  other.exec("BEGIN; CREATE TABLE made_there (x)");
  findChange();
  expect(onChange).not.toHaveBeenCalled();
  other.exec("COMMIT");
  findChange();
  findChange();
  expect(onChange).toHaveBeenCalledTimes(1);
});

test("[J7] while the database can't be read, it may have changed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "any.sqlite");
  // Without a write-ahead log, an exclusive lock keeps readers out.
  using own = new DatabaseSync(path, { timeout: 0 });
  using other = new DatabaseSync(path);
  const onChange = vi.fn<() => void>();
  const findChange = changeFinder(own, onChange);

  other.exec("BEGIN EXCLUSIVE");
  expect(() => own.exec("SELECT * FROM sqlite_schema")).toThrow("database is locked");
  findChange();
  expect(onChange).toHaveBeenCalledTimes(1);
  other.exec("CREATE TABLE made_there (x); COMMIT");
  findChange();
  findChange();
  expect(onChange).toHaveBeenCalledTimes(2);
});
