import { createHash, randomBytes } from "node:crypto";
import { link, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { isJsonObject } from "../../core/text/json-object.ts";
import { isMissing, readTextIfAny, replaceFile } from "./atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** Pause before looking again while another process clears a stale lock away. */
const PAUSE_MS = 10;
/** A holder that has not said within this time where it listens died while it started. */
const START_LIMIT_MS = 60_000;

/** The process that owns a data folder (rule R3). */
export interface LockHolder {
  readonly pid: number;
  /** Where it listens on 127.0.0.1; null while it starts. */
  readonly port: number | null;
  /** Whether it holds the lock for a few calls only. */
  readonly isBrief: boolean;
  /** What a call must show there; the lock file is readable by its user alone. */
  readonly secret: string;
}

/** Tells a holder that still runs from one that is gone though its process id exists. */
export type AnswersAt = (port: number, secret: string) => Promise<boolean>;

/** Another process holds the lock. */
export interface HeldElsewhere {
  readonly heldBy: LockHolder;
}

export interface LockOptions {
  /** Asked about a holder whose process id exists, because ids are used again. */
  readonly answersAt: AnswersAt;
  /** Whether the lock is wanted for a few calls only. */
  readonly isBrief: boolean;
}

/**
 * Takes a lock file, or says who has it. The lock of a process that is gone is taken over: when
 * several try that at the same time, exactly one gets it.
 */
export async function takeLock(path: string, options: LockOptions): Promise<Lock | HeldElsewhere> {
  const secret = randomBytes(32).toString("base64url");
  const own = { pid: process.pid, port: null, isBrief: options.isBrief, secret };
  for (;;) {
    if (await putInPlace(path, own)) return new Lock(path, own);
    const found = await readTextIfAny(path);
    if (found === undefined) continue;
    const heldBy = parsePortOwner(found);
    if (heldBy !== undefined && (await isAlive(path, heldBy, options))) return { heldBy };
    await clearAway(path, found, options);
  }
}

/** A lock that this process holds. */
export class Lock {
  readonly #path: string;
  #own: LockHolder;

  constructor(path: string, own: LockHolder) {
    this.#path = path;
    this.#own = own;
  }

  get secret(): string {
    return this.#own.secret;
  }

  /** Says where this process listens. It goes on answering there until the lock is released. */
  publish(port: number): void {
    this.#own = { ...this.#own, port };
    replaceFile(this.#path, JSON.stringify(this.#own));
  }

  async release(): Promise<void> {
    if ((await readTextIfAny(this.#path)) !== JSON.stringify(this.#own)) return;
    await rm(this.#path, { force: true });
  }
}

/** Creates the file with all of its text at once; false where there is one already. */
async function putInPlace(path: string, own: LockHolder): Promise<boolean> {
  const unfinished = `${path}.${own.secret.slice(0, 12)}`;
  await writeFile(unfinished, JSON.stringify(own), { mode: 0o600 });
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * Removes a stale lock. Only who holds the lock on removing exactly this one may do so: otherwise a
 * slow process could remove the fresh lock of a quick one, which it never looked at.
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

async function isAlive(path: string, holder: LockHolder, options: LockOptions): Promise<boolean> {
  if (!isRunning(holder.pid)) return false;
  if (holder.port !== null) return options.answersAt(holder.port, holder.secret);
  return Date.now() - (await changedAt(path)) < START_LIMIT_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other reason than that there is no such process means that there is one.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

async function changedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Number.NEGATIVE_INFINITY;
    throw error;
  }
}

/** undefined where the text is no lock: a power cut may leave an empty file. */
function parsePortOwner(text: string): LockHolder | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { pid, port, isBrief, secret } = value;
  const isPort = port === null || typeof port === "number";
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0 || !isPort || typeof secret !== "string") {
    return undefined;
  }
  return { pid: Number(pid), port, isBrief: isBrief === true, secret };
}
