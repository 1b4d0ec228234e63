import type { DatabaseSync } from "node:sqlite";
import { SWITCHES, type SwitchName } from "../domain/ports.ts";
import { number, type Row, text } from "../storage/rows.ts";
import { type Page, type PageOf, pageOf, timeOf } from "./list-records.ts";

export interface ListedBlock {
  readonly subject: string;
  readonly kind: string;
  readonly blocked_at: string;
}

/** Lists blocked addresses, networks and devices. */
export function listBlocks(database: DatabaseSync, page: PageOf): Page<ListedBlock> {
  const rows = database
    .prepare("SELECT * FROM blocks WHERE subject > ? ORDER BY subject LIMIT ?")
    .all(page.after ?? "", page.limit + 1);
  return pageOf(rows, page, blockOf);
}

/** Converts a row of either database to a listed block. */
export function blockOf(row: Row): ListedBlock {
  return {
    subject: text(row["subject"]),
    kind: text(row["kind"]),
    blocked_at: timeOf(row["blocked_at"]),
  };
}

export interface ListedDenial {
  readonly sha256: string;
  readonly denied_at: string;
}

/** Lists denied sounds. */
export function listDenials(database: DatabaseSync, page: PageOf): Page<ListedDenial> {
  const rows = database
    .prepare("SELECT * FROM denied_sounds WHERE sha256 > ? ORDER BY sha256 LIMIT ?")
    .all(page.after ?? "", page.limit + 1);
  return pageOf(rows, page, denialOf);
}

/** Converts a row of either database to a listed denial. */
export function denialOf(row: Row): ListedDenial {
  return {
    sha256: text(row["sha256"]),
    denied_at: timeOf(row["denied_at"]),
  };
}

export interface ListedSwitch {
  readonly name: SwitchName;
  readonly on: boolean;
  /** The operator's own words for callers; null for the usual ones. */
  readonly sentence: string | null;
  readonly switched_at: string | null;
}

/** Lists every switch. */
export function listSwitches(database: DatabaseSync): readonly ListedSwitch[] {
  const row = database.prepare("SELECT sentence, switched_at FROM switches WHERE name = ?");
  return SWITCHES.map((name) => switchOf(name, row.get(name)));
}

/** Makes a listed switch. @param off its row, if it is off */
export function switchOf(name: SwitchName, off: Row | undefined): ListedSwitch {
  if (off === undefined) return { name, on: true, sentence: null, switched_at: null };
  const sentence = off["sentence"] === null ? null : text(off["sentence"]);
  return { name, on: false, sentence, switched_at: timeOf(off["switched_at"]) };
}

export interface ListedOperation {
  readonly seq: number;
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string | null;
}

/** Lists the operations of operators, newest first. `after` is the number of an entry; the page has older ones. */
export function listOperations(database: DatabaseSync, page: PageOf): Page<ListedOperation> {
  const rows = database
    .prepare("SELECT * FROM operator_log WHERE seq < ? ORDER BY seq DESC LIMIT ?")
    .all(page.after === undefined ? Number.MAX_SAFE_INTEGER : Number(page.after), page.limit + 1);
  return pageOf(rows, page, operationOf);
}

/** Converts a row of either database to an entry of the log. */
export function operationOf(row: Row): ListedOperation {
  return {
    seq: number(row["seq"]),
    at: timeOf(row["at"]),
    who: text(row["who"]),
    action: text(row["action"]),
    subject: text(row["subject"]),
    detail: row["detail"] === null ? null : text(row["detail"]),
  };
}
