import type { StoreUpkeep } from "../../../../relay/domain/ports.ts";

/** The same database, while a backup holds deletions until then. */
export function heldUntil({ read, ...upkeep }: StoreUpkeep, endsAt: () => number): StoreUpkeep {
  return { ...upkeep, read: async () => ({ ...(await read()), holds: [endsAt()] }) };
}
