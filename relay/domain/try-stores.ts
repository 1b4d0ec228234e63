import type { Context } from "./context.ts";
import { requireOwnSounds } from "./lost-sounds.ts";
import { StoreBusyError, StoreFullError, StoreLostError } from "./ports.ts";

/** Why no change succeeds, in a word for programs. */
export type NotReady = "full" | "locked" | "lost" | "failing";

const SENTENCES: Readonly<Record<NotReady, string>> = {
  full: "Nothing can be saved: the disk is full. Free some space.",
  locked: "Nothing can be saved: another program has locked the database. Close it.",
  lost: "Nothing can be saved: the database or the folder of sounds was exchanged or damaged. The log says more.",
  failing: "Nothing can be saved: the disk or the database fails. The log says more.",
};

/**
 * Tries to read and to change something, and notes under `writing` why no change succeeds. Resolves with the
 * store's error and what kind it is; with undefined if all is well.
 */
export async function tryStores(
  context: Context,
): Promise<{ readonly reason: NotReady; readonly cause: unknown } | undefined> {
  const { health, packages, sounds, upkeep } = context;
  try {
    await Promise.all([packages.find("pkg_none"), sounds.room(), upkeep?.tryChange()]);
    await requireOwnSounds(context);
    health.note("writing", undefined);
    return undefined;
  } catch (cause) {
    const reason = reasonOf(cause);
    health.note("writing", SENTENCES[reason]);
    return { reason, cause };
  }
}

function reasonOf(error: unknown): NotReady {
  if (error instanceof StoreFullError) return "full";
  if (error instanceof StoreBusyError) return "locked";
  return error instanceof StoreLostError ? "lost" : "failing";
}
