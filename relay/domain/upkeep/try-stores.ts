import type { Context } from "../context.ts";
import { requireOwnSounds } from "./lost-sounds.ts";
import { StoreBusyError, StoreFullError, StoreLostError } from "../ports.ts";

/** Why no change succeeds, in words for programs: what is wrong, and with which of the two stores. */
export interface NotReady {
  readonly reason: "full" | "locked" | "lost" | "failing";
  readonly part: "database" | "store";
}

const SENTENCES: Readonly<Record<NotReady["reason"], string>> = {
  full: "Nothing can be saved: the disk is full. Free some space.",
  locked: "Nothing can be saved: another program has locked the database. Close it.",
  lost: "Nothing can be saved: the database or the folder of sounds was exchanged or damaged. The log says more.",
  failing: "Nothing can be saved: the disk or the database fails. The log says more.",
};

/**
 * Tries to read and to change something, and notes under `writing` why no change succeeds. Resolves with the error of
 * the database or the sound store and what kind it is; with undefined if all is well. The database's comes first.
 */
export async function tryStores(
  context: Context,
): Promise<(NotReady & { readonly cause: unknown }) | undefined> {
  const { health, packages, sounds, upkeep } = context;
  const tries = [
    ["database", Promise.all([packages.find("pkg_none"), upkeep?.tryChange()])],
    ["store", Promise.all([sounds.room(), requireOwnSounds(context)])],
  ] as const;
  const outcomes = await Promise.allSettled(tries.map(([, tried]) => tried));
  for (const [index, [part]] of tries.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status !== "rejected") continue;
    const cause: unknown = outcome.reason;
    const reason = reasonOf(cause);
    health.note("writing", SENTENCES[reason]);
    return { reason, part, cause };
  }
  health.note("writing", undefined);
  return undefined;
}

function reasonOf(error: unknown): NotReady["reason"] {
  if (error instanceof StoreFullError) return "full";
  if (error instanceof StoreBusyError) return "locked";
  return error instanceof StoreLostError ? "lost" : "failing";
}
