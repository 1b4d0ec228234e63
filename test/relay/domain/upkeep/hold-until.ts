import type { Ports } from "../../../../relay/domain/ports.ts";

/** Has the database say that a backup holds deletions until then. */
export function holdUntil({ upkeep }: Pick<Ports, "upkeep">, endsAt: () => number): void {
  if (upkeep === undefined) throw new Error("The database has no upkeep.");
  const read = upkeep.read.bind(upkeep);
  Object.assign(upkeep, { read: async () => ({ ...(await read()), holds: [endsAt()] }) });
}
