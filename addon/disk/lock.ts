import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { lockFile } from "../../program/file-lock.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { hasCode, readTextIfAny, replaceFile } from "./atomic-file.ts";

/** The process that owns a data folder (rule R3). */
export interface LockOwner {
  readonly pid: number;
  /** The holder's port on 127.0.0.1; null during start-up. */
  readonly port: number | null;
  /** True if it holds the lock for a few calls only. */
  readonly isBrief: boolean;
  /** The secret that authorizes calls to the port; only the owner file's user can read it. */
  readonly secret: string;
}

export interface LockHeldElsewhere {
  /** Its `port` is null while it starts, and if it doesn't answer. Undefined if nobody says who it is. */
  readonly heldBy: LockOwner | undefined;
}

interface LockOptions {
  /** Checks whether an owner answers: its file may be older than the lock. */
  readonly answersAt: (port: number, secret: string) => Promise<boolean>;
  readonly isBrief: boolean;
}

/**
 * Takes a data folder's lock, or returns its holder. The operating system holds the lock; the file at `path` says where
 * its owner listens.
 * @throws {Error} of the file system
 */
export async function takeLock(
  path: string,
  { answersAt, isBrief }: LockOptions,
): Promise<Lock | LockHeldElsewhere> {
  const held = lockFile(`${path}.held`);
  const heldBy = await findOwner(path, answersAt);
  if (held === undefined) return { heldBy };
  // Versions before this lock had the file only.
  const isHeld = heldBy !== undefined && heldBy.port !== null;
  try {
    if (!isHeld) return new Lock(path, held, isBrief);
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
  held[Symbol.dispose]();
  return { heldBy };
}

/** A lock that this process holds. */
export class Lock {
  readonly secret = randomBytes(32).toString("base64url");
  readonly #path: string;
  readonly #held: Disposable;
  readonly #isBrief: boolean;

  constructor(path: string, held: Disposable, isBrief: boolean) {
    this.#path = path;
    this.#held = held;
    this.#isBrief = isBrief;
    this.#write(null);
  }

  /** Publishes the port; the process must answer there until the lock is released. */
  publish(port: number): void {
    this.#write(port);
  }

  async release(): Promise<void> {
    try {
      await rm(this.#path, { force: true });
    } finally {
      this.#held[Symbol.dispose]();
    }
  }

  #write(port: number | null): void {
    const owner: LockOwner = {
      pid: process.pid,
      port,
      isBrief: this.#isBrief,
      secret: this.secret,
    };
    replaceFile(this.#path, JSON.stringify(owner));
  }
}

/** Returns the owner that the file names, if its process runs: a killed one leaves its file. */
async function findOwner(
  path: string,
  answersAt: LockOptions["answersAt"],
): Promise<LockOwner | undefined> {
  const owner = parseOwner((await readTextIfAny(path)) ?? "");
  if (owner === undefined || !isRunning(owner.pid)) return undefined;
  const isSilent = owner.port !== null && !(await answersAt(owner.port, owner.secret));
  return isSilent ? { ...owner, port: null } : owner;
}

/** Checks whether a process with an id, a positive whole number, exists on this computer. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return !hasCode(error, "ESRCH");
  }
}

/** Parses the owner's file; returns undefined for an invalid one: a power cut may leave it empty. */
function parseOwner(text: string): LockOwner | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { pid, port, isBrief, secret } = value;
  const isPort = port === null || typeof port === "number";
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0 || !isPort || typeof secret !== "string") {
    return undefined;
  }
  return { pid: Number(pid), port, isBrief: isBrief === true, secret };
}
