import type { StoreState } from "../ports.ts";

/** A database's record of its instance. */
export type FoundDatabase = Pick<StoreState, "instance" | "hasServed">;

/** A sound store's record of its instance. */
export interface FoundSounds {
  readonly instanceId: string | undefined;
  readonly holdsSounds: boolean;
}

/**
 * The reason why database and sounds must not be used together:
 * - `database-missing`: there are only sounds.
 * - `database-new`: the database has never served anyone, and yet there are sounds.
 * - `database-unmarked`: the sounds belong to an instance, the database to none.
 * - `sounds-unmarked`: the database was used with other sounds.
 * - `ids-differ`: each belongs to another instance.
 */
export type MismatchReason =
  | "database-missing"
  | "database-new"
  | "database-unmarked"
  | "sounds-unmarked"
  | "ids-differ";

/**
 * The verdict on a database and a sound store:
 * - `bound`: they belong together.
 * - `bind`: neither belongs to another; both get this id, or a new one if it is undefined.
 * - `refuse`: they must not be used together.
 */
export type InstanceVerdict =
  | { readonly kind: "bound"; readonly instanceId: string }
  | { readonly kind: "bind"; readonly instanceId: string | undefined }
  | { readonly kind: "refuse"; readonly reason: MismatchReason };

const UNMARKED = { instanceId: undefined, isBound: false };

/**
 * Judges whether a relay may use a database with a sound store (rule Z1). An id is first written to the database,
 * unbound, then to the sounds, and then the database is bound, so an unbound id may be completed.
 * @param database undefined if there is none yet
 */
export function judgeInstance(
  database: FoundDatabase | undefined,
  sounds: FoundSounds,
): InstanceVerdict {
  if (database === undefined) {
    const isNew = sounds.instanceId === undefined && !sounds.holdsSounds;
    return isNew ? { kind: "bind", instanceId: undefined } : refuse("database-missing");
  }
  const { instance: { instanceId, isBound } = UNMARKED, hasServed } = database;
  if (sounds.instanceId !== undefined) {
    if (instanceId === undefined) return refuse("database-unmarked");
    if (instanceId !== sounds.instanceId) return refuse("ids-differ");
    return { kind: isBound ? "bound" : "bind", instanceId };
  }
  if (isBound) return refuse("sounds-unmarked");
  if (!hasServed && sounds.holdsSounds) return refuse("database-new");
  return { kind: "bind", instanceId };
}

function refuse(reason: MismatchReason): InstanceVerdict {
  return { kind: "refuse", reason };
}
