import { expect, test } from "vitest";
import { groupCommitter } from "../../../../relay/storage/sqlite/commit-group.ts";
import { openForReading, openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { changesOn, type WriteRequest } from "../../../../relay/storage/sqlite/writes.ts";
import { T0 } from "../../../contracts/relay/records/sample-records.ts";
import { temporaryFolder } from "./open-sqlite.ts";

function register(id: number, deviceId: string, deviceName = "Studio"): WriteRequest {
  const device = { deviceId, deviceName, registeredAt: T0, lastSeenAt: T0 };
  return { id, name: "insertDevice", argument: { device, tokenHash: `${deviceId}-token` } };
}

async function openGroups(makeRoom = () => false) {
  const folder = await temporaryFolder();
  const database = openForWriting(folder.path);
  const reading = openForReading(folder.path);
  return {
    database,
    commitGroup: groupCommitter(database, changesOn(database), {
      whileWaiting: () => {},
      beforeAnswers: () => {},
      makeRoom,
    }),
    devices: () =>
      reading
        .prepare("SELECT device_id FROM devices ORDER BY device_id")
        .all()
        .map((row) => row["device_id"]),
    [Symbol.asyncDispose]: async () => {
      reading.close();
      database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("one failed change does not undo the others of its group", async () => {
  await using groups = await openGroups();
  const replies = groups.commitGroup([register(1, "a"), register(2, "a"), register(3, "b")]);
  expect(replies).toEqual([
    { id: 1, result: undefined },
    { id: 2, error: expect.any(Error), trouble: undefined },
    { id: 3, result: undefined },
  ]);
  expect(groups.devices()).toEqual(["a", "b"]);
});

test("a change that undoes itself gives its result, and leaves nothing in its group", async () => {
  await using groups = await openGroups();
  const put = (id: number, deviceId: string, codeHash: string): WriteRequest => {
    const code = { codeHash, expiresAt: T0 + 1, now: T0 };
    return { id, name: "setCode", argument: { deviceId, code } };
  };
  groups.commitGroup([register(1, "a"), register(2, "b")]);
  // The second code of b is a's, so b keeps its first one.
  const replies = groups.commitGroup([put(3, "a", "one"), put(4, "b", "two"), put(5, "b", "one")]);
  expect(replies.map((reply) => "result" in reply && reply.result)).toEqual([true, true, false]);
  expect(groups.database.prepare("SELECT code_hash FROM pairing_codes ORDER BY 1").all()).toEqual([
    { code_hash: "one" },
    { code_hash: "two" },
  ]);
});

test("[U7] readers see nothing of a group before it is committed as a whole", async () => {
  await using groups = await openGroups();
  const seen: unknown[] = [];
  groups.database.function("look", () => seen.push(groups.devices()));
  groups.database.exec(
    "CREATE TEMP TRIGGER peek AFTER INSERT ON main.devices BEGIN SELECT look(); END",
  );
  groups.commitGroup([register(1, "a"), register(2, "b")]);
  expect(seen).toEqual([[], []]);
  expect(groups.devices()).toEqual(["a", "b"]);
});

test("[U6] a full database refuses what does not fit, and continues once it has room", async () => {
  await using groups = await openGroups();
  const pages = Number(groups.database.prepare("PRAGMA page_count").get()?.["page_count"]);
  groups.database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const large = "x".repeat(1_000_000);
  const [reply] = groups.commitGroup([register(1, "a", large)]);
  expect(reply).toEqual({ id: 1, error: expect.any(Error), trouble: "full" });
  expect(groups.devices()).toEqual([]);

  groups.database.exec("PRAGMA max_page_count = 1000000");
  expect(groups.commitGroup([register(2, "a", large)])).toEqual([{ id: 2, result: undefined }]);
  expect(groups.devices()).toEqual(["a"]);
});

test("[U7] when the whole transaction is lost, no change of the group counts as done", async () => {
  await using groups = await openGroups();
  // SQLite does the same on the worst errors.
  groups.database.exec(
    `CREATE TEMP TRIGGER lose BEFORE INSERT ON main.devices WHEN NEW.device_id = 'lost'
     BEGIN SELECT RAISE(ROLLBACK, 'the disk is gone'); END`,
  );
  const replies = groups.commitGroup([register(1, "a"), register(2, "lost"), register(3, "b")]);
  expect(replies.map((reply) => "error" in reply)).toEqual([true, true, true]);
  expect(replies[0]).toMatchObject({ error: { message: "the disk is gone" } });
  expect(groups.devices()).toEqual([]);
  expect(groups.commitGroup([register(4, "c")])).toEqual([{ id: 4, result: undefined }]);
});

test("[Z7] when room was made, only what met the full disk is tried once more", async () => {
  await using groups = await openGroups(() => {
    groups.database.exec("PRAGMA max_page_count = 1000000");
    return true;
  });
  const pages = Number(groups.database.prepare("PRAGMA page_count").get()?.["page_count"]);
  groups.database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const large = "x".repeat(1_000_000);
  const replies = groups.commitGroup([register(1, "a"), register(2, "b", large), register(3, "c")]);
  expect(replies).toEqual([1, 2, 3].map((id) => ({ id, result: undefined })));
  expect(groups.devices()).toEqual(["a", "b", "c"]);
});
