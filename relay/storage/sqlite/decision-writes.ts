import type { DatabaseSync } from "node:sqlite";
import type { SwitchName } from "../../domain/ports.ts";
import { type ByWhom, operationLog } from "./operator-log.ts";
import { removalNoter } from "./removals.ts";

/** Something to decide about an address range, as `parseAddressRange` spells it, or a device. */
export interface BlockWrite extends ByWhom {
  readonly subject: string;
  readonly kind: "address" | "device";
}

/** A switch to turn. */
export interface SwitchWrite extends ByWhom {
  readonly name: SwitchName;
  readonly isOff: boolean;
  readonly sentence?: string | undefined;
}

/**
 * The writes for blocks and switches (rules AD3, AD4, AD6). Each logs what it changes in the same step. One that
 * changes nothing returns false. Each runs inside its caller's transaction.
 */
export function decisionWrites(database: DatabaseSync) {
  return { ...blockWrites(database), ...switchWrites(database) };
}

function blockWrites(database: DatabaseSync) {
  const log = operationLog(database);
  const note = removalNoter(database);
  const block = database.prepare(
    "INSERT OR IGNORE INTO blocks (subject, kind, blocked_at) VALUES (?, ?, ?)",
  );
  const unblock = database.prepare("DELETE FROM blocks WHERE subject = ?");
  const endCode = database.prepare("DELETE FROM pairing_codes WHERE device_id = ?");
  return {
    block({ subject, kind, at, who }: BlockWrite): boolean {
      if (block.run(subject, kind, at).changes === 0) return false;
      // Nobody may pair with a blocked device.
      endCode.run(subject);
      note("blocked", subject);
      log({ at, who, action: "block", subject });
      return true;
    },
    unblock({ subject, at, who }: BlockWrite): boolean {
      if (unblock.run(subject).changes === 0) return false;
      note("unblocked", subject);
      log({ at, who, action: "unblock", subject });
      return true;
    },
  };
}

function switchWrites(database: DatabaseSync) {
  const log = operationLog(database);
  const off = database.prepare(
    `INSERT INTO switches (name, sentence, switched_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (name) DO UPDATE SET sentence = ?2, switched_at = ?3 WHERE sentence IS NOT ?2`,
  );
  const on = database.prepare("DELETE FROM switches WHERE name = ?");
  return {
    turn({ name, isOff, sentence, at, who }: SwitchWrite): boolean {
      const { changes } = isOff ? off.run(name, sentence ?? null, at) : on.run(name);
      if (changes === 0) return false;
      log({ at, who, action: `switch ${isOff ? "off" : "on"}`, subject: name, detail: sentence });
      return true;
    },
  };
}
