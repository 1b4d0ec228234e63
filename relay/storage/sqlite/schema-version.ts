import type { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "./schema.ts";

/** Whether this version of Soundferry, an older or a newer one wrote the database last. */
export function schemaAge(database: DatabaseSync): "current" | "older" | "newer" {
  const steps = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (steps === MIGRATIONS.length) return "current";
  return steps < MIGRATIONS.length ? "older" : "newer";
}
