import type { ByWhom } from "../both-databases.ts";
import type { DatabaseSync } from "node:sqlite";
import type { SwitchName } from "../../domain/ports.ts";
import { number, text, uploadedOf } from "../rows.ts";
import { removalNoter } from "./removals.ts";
import { keyMover } from "./sound-key-writes.ts";

/** One row of the log of operations. */
interface Operation extends ByWhom {
  readonly action: string;
  readonly subject: string;
  readonly detail?: string | undefined;
}

/** Returns a function that writes a row of the log inside its caller's transaction. */
export function operationLog(database: DatabaseSync): (operation: Operation) => void {
  const insert = database.prepare(
    "INSERT INTO operator_log (at, who, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
  );
  return ({ at, who, action, subject, detail }) =>
    void insert.run(at, who, action, subject, detail ?? null);
}

/** The relay's own writes to the log of operations. Each runs inside its caller's transaction. */
export function operatorLogWrites(database: DatabaseSync) {
  const forget = database.prepare("DELETE FROM operator_log WHERE at < ?");
  return {
    forgetOperatorLog(before: number): void {
      forget.run(before);
    },
  };
}

/** A decision about a device, or about an address range in the spelling of `parseAddressRange`. */
interface BlockWrite extends ByWhom {
  readonly subject: string;
  readonly kind: "address" | "device";
}

/** A switch to turn. */
interface SwitchWrite extends ByWhom {
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

/** A sound to deny or to allow again, by its SHA-256 in lowercase hex. */
interface DenialWrite extends ByWhom {
  readonly sha256: string;
}

/** The outcome of a denial: whether it is new, and the keys that it doomed, by package. */
interface DenialOutcome {
  readonly isNew: boolean;
  readonly doomed: ReadonlyMap<string, readonly string[]>;
}

/** The writes for denied sounds (rule AD5). Each runs inside its caller's transaction. */
export function denialWrites(database: DatabaseSync) {
  const log = operationLog(database);
  const note = removalNoter(database);
  const deny = sumDenier(database);
  const allow = database.prepare("DELETE FROM denied_sounds WHERE sha256 = ?");
  return {
    /** Denies a sound. Also removes copies that arrived while it was denied before. */
    deny({ sha256, at, who }: DenialWrite): DenialOutcome {
      const outcome = deny(sha256, at);
      const { isNew, doomed } = outcome;
      if (isNew) note("denied", sha256);
      if (isNew || doomed.size > 0) {
        log({
          at,
          who,
          action: "deny",
          subject: sha256,
          detail: JSON.stringify([...doomed.keys()]),
        });
      }
      return outcome;
    },
    allow({ sha256, at, who }: DenialWrite): boolean {
      if (allow.run(sha256).changes === 0) return false;
      note("allowed", sha256);
      log({ at, who, action: "allow", subject: sha256 });
      return true;
    },
  };
}

/** Returns a function that denies a sum and takes its stored copies out of their packages. */
export function sumDenier(database: DatabaseSync): (sha256: string, at: number) => DenialOutcome {
  const insert = database.prepare(
    "INSERT OR IGNORE INTO denied_sounds (sha256, denied_at) VALUES (?, ?)",
  );
  // A manifest without the sum in its text can't be a match, so it isn't parsed.
  const candidates = database.prepare(
    `SELECT package_id, uploaded, committed_at, item.value ->> 'file' AS file, item.value ->> 'bytes' AS bytes
     FROM packages JOIN manifests USING (package_id), json_each(manifest, '$.items') AS item
     WHERE files_deleted = 0 AND instr(manifest, ?1) > 0 AND item.value ->> 'sha256' = ?1
     ORDER BY package_id, item.key`,
  );
  const update = database.prepare(
    `UPDATE packages SET uploaded = (
         SELECT json_group_array(json(value)) FROM json_each(uploaded) WHERE value ->> 0 <> ?2),
       missing_bytes = missing_bytes + ?3, version = version + 1
     WHERE package_id = ?1`,
  );
  const moveKeys = keyMover(database);
  return (sha256, at) => {
    const isNew = insert.run(sha256, at).changes > 0;
    const doomed = new Map<string, string[]>();
    for (const row of candidates.all(sha256)) {
      const [packageId, file] = [text(row["package_id"]), text(row["file"])];
      const key = uploadedOf(row["uploaded"]).get(file);
      if (key === undefined) continue;
      moveKeys(new Set([key]), new Set());
      update.run(packageId, file, number(row["bytes"]));
      doomed.set(packageId, [...(doomed.get(packageId) ?? []), key]);
    }
    return { isNew, doomed };
  };
}

/** Returns a function that finds a denied sound in a package: a denial may come after the relay's look. */
export function denialFinder(
  database: DatabaseSync,
): (packageId: string, uploaded: string) => boolean {
  const any = database.prepare("SELECT 1 FROM denied_sounds LIMIT 1");
  const inPackage = database.prepare(
    `SELECT 1 FROM manifests, json_each(manifest, '$.items') AS item, json_each(?2) AS had
     JOIN denied_sounds ON sha256 = item.value ->> 'sha256'
     WHERE package_id = ?1 AND item.value ->> 'file' = had.value ->> 0 LIMIT 1`,
  );
  return (packageId, uploaded) =>
    any.get() !== undefined && inPackage.get(packageId, uploaded) !== undefined;
}
