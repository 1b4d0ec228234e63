import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { applyChange, type Change } from "./apply-change.ts";

// A process that changes the records of a data folder, which it gets as its argument. Each message is a change.

const database = await SqliteDatabase.open(process.argv[2] ?? "");

process.on("message", (change: Change) => {
  void applyChange(database, change).then(() => process.send?.("done"));
});
process.on("disconnect", () => void database[Symbol.asyncDispose]());
process.send?.("ready");
