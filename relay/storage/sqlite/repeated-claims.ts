import type { DatabaseSync } from "node:sqlite";
import type { AppTokenRecord, ClaimRepeat, CodeClaim } from "../../domain/ports.ts";
import { appTokenOf, text } from "../rows.ts";
import { removalNoter } from "./removals.ts";

export const APP_OF_TOKEN = `
  SELECT pairings.*, devices.device_name, import_days, first_import_day, last_import_day FROM app_tokens
  JOIN pairings USING (pairing_id) JOIN devices USING (device_id) WHERE app_tokens.token_hash = ?`;

/** Returns a function that keeps a claim, so that it can be repeated (rule P13). It runs inside the claim's transaction. */
export function claimKeeper(database: DatabaseSync): (claim: CodeClaim) => void {
  const keep = database.prepare(
    `INSERT OR REPLACE INTO repeatable_claims (repeat_hash, token_hash, arrived_at, ends_at)
     VALUES (?, ?, ?, ?)`,
  );
  return ({ repeatable, tokenHash }) => {
    if (repeatable === undefined) return;
    keep.run(repeatable.repeatHash, tokenHash, repeatable.arrivedAt, repeatable.endsAt);
  };
}

/** The write that repeats a claim. It runs inside its caller's transaction. */
export function repeatWrites(database: DatabaseSync) {
  const note = removalNoter(database);
  const overtake = database.prepare(
    `UPDATE repeatable_claims SET arrived_at = ?2
     WHERE repeat_hash = ?1 AND arrived_at <= ?2 AND ends_at > ?3 AND ends_at <= ?4 RETURNING token_hash`,
  );
  const replaceToken = database.prepare(
    "UPDATE app_tokens SET token_hash = ?2 WHERE token_hash = ?1",
  );
  const app = database.prepare(APP_OF_TOKEN);
  return {
    repeatClaim(repeat: ClaimRepeat): AppTokenRecord | undefined {
      const { repeatHash, arrivedAt, tokenHash, now, latestEnd } = repeat;
      const earlier = overtake.get(repeatHash, arrivedAt, now, latestEnd);
      if (earlier === undefined) return undefined;
      replaceToken.run(text(earlier["token_hash"]), tokenHash);
      note("token", text(earlier["token_hash"]));
      const row = app.get(tokenHash);
      return row && appTokenOf(row);
    },
  };
}
