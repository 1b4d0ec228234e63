import {
  StoreBusyError,
  StoreFullError,
  StoreLostError,
  StoreTroubleError,
} from "../domain/ports.ts";
import { codeOf, isFullCode, isSqliteError } from "./error-codes.ts";

/** Advice to an operator, by the system's code of a failed call. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "The disk is full. Free some space."],
  ["EDQUOT", "The user's quota on this disk is used up. Raise it, or free some space."],
  ["EIO", "The disk fails. Back up what can still be read, and check the disk."],
  ["EROFS", "The file system is read-only. Mount it for writing, after a check if it had errors."],
  ["EACCES", "The relay may not use this. Let its user read and write it."],
  ["EPERM", "The relay may not do this. Let its user change it, and check for write protection."],
  [
    "ENAMETOOLONG",
    "The path is too long for its disk. Give the relay a folder with a shorter one.",
  ],
  ["EMFILE", "The relay has too many files open. Raise its limit (ulimit -n)."],
  ["ENFILE", "This computer has too many files open. Raise its limit, or close programs."],
  ["ENODEV", "The disk is gone. Connect it again and restart the relay."],
  ["ENXIO", "The disk is gone. Connect it again and restart the relay."],
  ["ENOTCONN", "The network drive is gone. Mount it again and restart the relay."],
  ["EHOSTDOWN", "The network drive is gone. Mount it again and restart the relay."],
  ["ESTALE", "The network drive is gone. Mount it again and restart the relay."],
]);

/** The system's code that is closest to SQLite's error. SQLite doesn't report the system's own code. */
const CODES_OF_SQLITE = [
  ["full", "ENOSPC"],
  ["io", "EIO"],
  ["readOnly", "EROFS"],
  ["cantOpen", "EACCES"],
] as const;

/**
 * Converts an error to the one that a store's port names, with a sentence for the operator. Returns the same error
 * unless it comes from the disk or a lock.
 * @param path the place of the error, if the error doesn't say
 */
export function named(error: unknown, path: string): unknown {
  if (isSqliteError(error, "busy")) {
    const sentence = `${path}: Another program has locked the database. Close it.`;
    return new StoreBusyError(sentence, { cause: error });
  }
  if (error instanceof Error && isSqliteError(error, "damaged")) {
    const sentence = `${path} is damaged (${error.message}). ${AFTER_LOSS}`;
    return new StoreLostError(sentence, { cause: error });
  }
  const code = troubleCodeOf(error);
  const advice = ADVICE.get(code);
  if (advice === undefined) return error;
  const sentence = `${pathOf(error) ?? path}: ${advice}`;
  return isFullCode(code)
    ? new StoreFullError(sentence, { cause: error })
    : new StoreTroubleError(sentence, { cause: error, code });
}

/**
 * Wraps an object so that its calls reject with named errors, and so do the calls of a file that its `open` returns.
 * @param thing an object that has asynchronous calls only
 */
export function namingTrouble<Thing extends object>(thing: Thing, path: string): Thing {
  return new Proxy(thing, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          const result: unknown = await Reflect.apply(member, target, args);
          const isFile = key === "open" && typeof result === "object" && result !== null;
          return isFile ? namingTrouble(result, path) : result;
        } catch (error) {
          throw named(error, path);
        }
      };
    },
  });
}

function troubleCodeOf(error: unknown): string {
  const [, code] = CODES_OF_SQLITE.find(([kind]) => isSqliteError(error, kind)) ?? [];
  return code ?? codeOf(error);
}

function pathOf(error: unknown): string | undefined {
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  return typeof path === "string" ? path : undefined;
}

/** A change of one of the database's files by another program. */
export interface Loss {
  readonly path: string;
  readonly what: "removed" | "replaced" | "overwritten";
  /** Set if all changes are in the database's file. */
  readonly isSaved?: boolean;
}

/** Advice to an operator after a relay's database was lost. */
const AFTER_LOSS =
  "See what is there with `soundferry relay check`, or restore a backup with `soundferry relay restore`.";

const HAPPENED: Record<Loss["what"], string> = {
  removed: "was removed or renamed",
  replaced: "was replaced by another file",
  overwritten: "was overwritten",
};

/** Formats a loss for an operator: the file, what happened to it, and what to do. */
export function formatLoss({ path, what, isSaved = false }: Loss): string {
  const advice =
    isSaved || path.endsWith("-shm") ? "Nothing is lost. Start the relay again." : AFTER_LOSS;
  return `${path} ${HAPPENED[what]} while the relay was running, so the relay stopped. ${advice}`;
}
