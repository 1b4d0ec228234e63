import type { DatabaseSync } from "node:sqlite";
import { schemaAge } from "../storage/sqlite/schema-version.ts";
import { openToLook } from "./copy-database.ts";

/** Opens a folder's database for reading. @throws {Error} a sentence if there is none, or another version wrote it */
export function openCurrent(folder: string): DatabaseSync {
  const database = openToLook(folder);
  if (schemaAge(database) === "current") return database;
  database.close();
  throw new Error(
    `An older Soundferry wrote the database in ${folder}. Start the relay once; that updates it.`,
  );
}
