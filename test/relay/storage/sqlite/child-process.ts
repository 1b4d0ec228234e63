import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";

// A process of its own that opens the database of a folder, and runs what its parent asks for.

/** The requests of the parent. */
export type Ask =
  | { readonly call: "rename"; readonly deviceId: string; readonly deviceName: string }
  | { readonly call: "lease"; readonly packageId: string; readonly runId: string };

const [folder = ""] = process.argv.slice(2);
const database = await SqliteDatabase.open(folder);

async function answer(ask: Ask): Promise<string> {
  if (ask.call === "rename") {
    await database.pairings.changeDevice(ask.deviceId, { deviceName: ask.deviceName });
    return "renamed";
  }
  const record = await database.packages.find(ask.packageId);
  if (record === undefined) return "gone";
  const lease = { runId: ask.runId, endsAt: record.life.uploadEndsAt };
  return database.packages.update({ ...record, life: { ...record.life, lease } });
}

process.on("message", (ask: Ask) => {
  void answer(ask).then((answered) => process.send?.(answered));
});
process.once("disconnect", () => void database[Symbol.asyncDispose]());
process.send?.("open");
