import {
  judgeRegistrationKey,
  type KeyRefusal,
  type RegistrationKey,
} from "../../../core/quotas/judge-registration-key.ts";
import { change } from "./change.ts";
import { type ByWhom, decision, logOperation } from "./operator-log.ts";
import type { MembersOf, RowOf } from "./rows.ts";
import { membersOf } from "./schema.ts";
import { ask, askRecords, hasRows, noteRemoval, statement, tell, type Work } from "./statement.ts";

const JUDGED = ["name", "ends_at", "max_uses", "uses", "removed_at"] as const;
type JudgedRow = MembersOf<"registration_keys", (typeof JUDGED)[number]>;
const FIND_SQL = `SELECT ${membersOf("registration_keys", JUDGED)} FROM registration_keys
  WHERE key_hash = :keyHash`;
const FIND = statement<JudgedRow>("find_key", FIND_SQL);
const LOCK = statement<JudgedRow>("lock_key", `${FIND_SQL} FOR NO KEY UPDATE`);
const COUNT = statement(
  "count_key",
  "UPDATE registration_keys SET uses = uses + 1 WHERE key_hash = :keyHash",
);
const ADD = statement(
  "add_key",
  `INSERT INTO registration_keys (key_hash, name, added_at, ends_at, max_uses)
   SELECT :keyHash, :name, :at, CAST(:endsAt AS bigint), CAST(:maxUses AS bigint)
   WHERE NOT EXISTS (SELECT 1 FROM registration_keys WHERE name = :name AND removed_at IS NULL)
   RETURNING name`,
);
const HAS_NAME = statement("has_key_name", "SELECT 1 FROM registration_keys WHERE name = :name");
const REMOVE = statement<RowOf<"registration_keys", "key_hash">>(
  "remove_key",
  `UPDATE registration_keys SET removed_at = :at
   WHERE (name = :name OR key_hash = :keyHash) AND removed_at IS NULL RETURNING key_hash`,
);

/** A new key. */
export interface NewKey extends Pick<RegistrationKey, "name" | "endsAt" | "maxUses"> {
  readonly keyHash: string;
}

/** An operator's changes of keys (rule AD13). */
export const KEY_DECISIONS = {
  /** Returns false if a key has that name. */
  addKey: decision(
    ({ keyHash, name, at, endsAt, maxUses }: NewKey & ByWhom) =>
      hasRows(ADD({ keyHash, name, at, endsAt, maxUses })),
    ({ name, endsAt, maxUses }: NewKey) => {
      return { action: "keys add", subject: name, detail: JSON.stringify({ endsAt, maxUses }) };
    },
  ),
  /** Returns false if it was removed before, and undefined if there was none. */
  removeKey: change(function* (
    asked: { readonly name: string } & ByWhom,
  ): Work<boolean | undefined> {
    const { name, at } = asked;
    const rows = yield* ask(REMOVE({ name, keyHash: null, at }));
    if (rows.length === 0) return (yield* hasRows(HAS_NAME({ name }))) ? false : undefined;
    for (const row of rows) yield* noteRemoval("key", row.key_hash);
    yield* logOperation(asked, { action: "keys remove", subject: name });
    return true;
  }),
};

/** Finds a key by the SHA-256 of it. */
export function* findKey(keyHash: string): Work<RegistrationKey | undefined> {
  const [key] = yield* askRecords(FIND({ keyHash }));
  return key;
}

/** Counts a registration with a key, unless it can't be used any more. It is the first step that waits for a lock. */
export function* useKey(keyHash: string, now: number): Work<KeyRefusal | undefined> {
  const [key] = yield* ask(LOCK({ keyHash }));
  const refused = key === undefined ? "removed" : judgeRegistrationKey(key, now);
  if (refused === undefined) yield* tell(COUNT({ keyHash }));
  return refused;
}

/** Removes a key that a restored backup brought back. Returns false if it didn't. */
export function removeKeyAgain(keyHash: string, at: number): Work<boolean> {
  return hasRows(REMOVE({ name: null, keyHash, at }));
}
