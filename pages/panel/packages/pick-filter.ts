import { hasWords, wordsOf } from "../../kit/rows/find-words.ts";
import { t } from "../../kit/page-language.ts";
import {
  failureOf,
  isImportable,
  type PickRow,
  rowStatusOf,
  soundResultsOf,
  usableOf,
} from "./pick-row.ts";
import { formatOrigin } from "./row-words.ts";

/** The search and the filter of the list of packages (rule N24). */
export interface PickFilter {
  /** Words that must all occur in a package's title, its sender or the names of its sounds; ignores case. */
  readonly text: string;
  readonly kind: "all" | "new" | "imported" | "problems";
  /** The sender, as the list shows it; null for all. */
  readonly app: string | null;
}

export const ALL_PACKAGES: PickFilter = { text: "", kind: "all", app: null };

/** Checks whether the filter may leave out a package. */
export function isFiltered({ text, kind, app }: PickFilter): boolean {
  return text.trim() !== "" || kind !== "all" || app !== null;
}

export function matches(row: PickRow, { text, kind, app }: PickFilter): boolean {
  if (app !== null && formatOrigin(row) !== app) return false;
  if (kind === "new" && !isNew(row)) return false;
  if (kind === "imported" && !soundResultsOf(row).some(({ status }) => status === "imported"))
    return false;
  if (kind === "problems" && !hasProblem(row)) return false;
  const sounds = usableOf(row)?.sounds ?? soundResultsOf(row);
  return hasWords([row.title, formatOrigin(row), ...sounds.map(({ name }) => name)], wordsOf(text));
}

/** Checks whether a package waits for its first import, or is being imported for the first time. */
export function isNew(row: PickRow): boolean {
  return isImportable(row) || (row.run !== null && soundResultsOf(row).length === 0);
}

/** Checks whether a package can't be imported, or its import has failed or differs from what was asked. */
function hasProblem(row: PickRow): boolean {
  if (["unusable", "expired"].includes(rowStatusOf(row))) return true;
  const failure = failureOf(row);
  if (failure !== null) return failure.code !== "CANCELLED";
  const leftOut = new Set<string | null>([
    t("panel.sound-not-selected"),
    t("panel.sound-dismissed"),
  ]);
  return soundResultsOf(row).some(
    ({ status, error, differences }) =>
      differences.length > 0 || (status !== "imported" && !leftOut.has(error)),
  );
}
