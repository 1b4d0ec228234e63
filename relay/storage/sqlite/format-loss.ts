/** What happened to a file of the database. */
export interface Loss {
  readonly path: string;
  readonly what: "removed" | "replaced" | "overwritten";
  /** All changes are in the database's file. */
  readonly isSaved?: boolean;
}

/** How to go on after a relay's database was lost. */
export const AFTER_LOSS =
  "See what is there with `soundferry relay check`, or restore a backup with `soundferry relay restore`.";

const HAPPENED: Record<Loss["what"], string> = {
  removed: "was removed or renamed",
  replaced: "was replaced by another file",
  overwritten: "was overwritten",
};

/** Says to an operator what happened, where, and what to do. */
export function formatLoss({ path, what, isSaved = false }: Loss): string {
  const advice =
    isSaved || path.endsWith("-shm") ? "Nothing is lost. Start the relay again." : AFTER_LOSS;
  return `${path} ${HAPPENED[what]} while the relay was running, so the relay stopped. ${advice}`;
}
