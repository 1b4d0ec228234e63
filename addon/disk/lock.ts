import { createHash, randomBytes } from "node:crypto";
import { link, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { isJsonObject } from "../../core/text/json-object.ts";
import { hasCode, readTextIfAny, replaceFile, unlessMissing } from "./atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** The delay before a retry while another process removes a stale lock. */
const PAUSE_MS = 10;
/** The time that a holder has to publish its port; later it counts as crashed during start-up. */
const START_LIMIT_MS = 60_000;

/** The process that owns a data folder (rule R3). */
export interface LockOwner {
  readonly pid: number;
  /** The holder's port on 127.0.0.1; null during start-up. */
  readonly port: number | null;
  /** True if it holds the lock for a few calls only. */
  readonly isBrief: boolean;
  /** The secret that authorizes calls to the port; only the lock file's user can read it. */
  readonly secret: string;
}

export interface LockHeldElsewhere {
  readonly heldBy: LockOwner;
}

interface LockOptions {
  /** Checks whether the holder answers: a process id alone may have been reused. */
  readonly answersAt: (port: number, secret: string) => Promise<boolean>;
  readonly isBrief: boolean;
}

/** Takes a lock file, or returns its holder. Exactly one of several processes gets a stale lock. */
export async function takeLock(
  path: string,
  options: LockOptions,
): Promise<Lock | LockHeldElsewhere> {
  const secret = randomBytes(32).toString("base64url");
  const own = { pid: process.pid, port: null, isBrief: options.isBrief, secret };
  for (;;) {
    if (await putInPlace(path, own)) return new Lock(path, own);
    const found = await readTextIfAny(path);
    if (found === undefined) continue;
    const heldBy = parseOwner(found);
    if (heldBy !== undefined && (await isAlive(path, heldBy, options))) return { heldBy };
    await clearAway(path, found, options);
  }
}

/** A lock that this process holds. */
export class Lock {
  readonly #path: string;
  #own: LockOwner;

  constructor(path: string, own: LockOwner) {
    this.#path = path;
    this.#own = own;
  }

  get secret(): string {
    return this.#own.secret;
  }

  /** Publishes the port; the process must answer there until the lock is released. */
  publish(port: number): void {
    this.#own = { ...this.#own, port };
    replaceFile(this.#path, JSON.stringify(this.#own));
  }

  async release(): Promise<void> {
    if ((await readTextIfAny(this.#path)) !== JSON.stringify(this.#own)) return;
    await rm(this.#path, { force: true });
  }
}

/** Creates the file atomically with its content; returns false where it exists. */
async function putInPlace(path: string, own: LockOwner): Promise<boolean> {
  const unfinished = `${path}.${own.secret.slice(0, 12)}`;
  await writeFile(unfinished, JSON.stringify(own), { mode: 0o600 });
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * Removes a stale lock under a second lock that names its content: otherwise a slow process could
 * remove the fresh lock of a faster one.
 */
async function clearAway(path: string, stale: string, options: LockOptions): Promise<void> {
  const digest = createHash("sha256").update(stale).digest("hex").slice(0, 16);
  const removal = await takeLock(`${path}.stale-${digest}`, options);
  if (!(removal instanceof Lock)) {
    await setTimeout(PAUSE_MS);
    return;
  }
  if ((await readTextIfAny(path)) === stale) await rm(path, { force: true });
  await removal.release();
}

async function isAlive(path: string, holder: LockOwner, options: LockOptions): Promise<boolean> {
  if (!isRunning(holder.pid)) return false;
  if (holder.port !== null) return options.answersAt(holder.port, holder.secret);
  const found = await unlessMissing(stat(path), undefined);
  return found !== undefined && Date.now() - found.mtimeMs < START_LIMIT_MS;
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

/** Parses a lock file; returns undefined for an invalid one: a power cut may leave it empty. */
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
