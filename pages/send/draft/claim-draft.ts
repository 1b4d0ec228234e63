import { randomId } from "../../../client/wire/random-id.ts";

const KEY = "soundferry.draft";
const LOCK = "soundferry.draft.";
/** Time to wait for a page that is being reloaded, which releases its draft shortly after the new page starts. */
const RELOAD_MS = 1000;

/**
 * Returns the id of the draft that this tab works on: its own after a reload, otherwise the newest that no tab
 * has open, otherwise a new one. No two tabs get the same.
 * @param stored ids of the stored drafts, newest first
 */
export async function claimDraft(stored: readonly string[]): Promise<string> {
  const own = takeOwn();
  const id = (await claimOne(own, stored)) ?? (await claimNew());
  // The id is stored only while the page is away, so that a tab opened or copied from this one doesn't inherit it.
  addEventListener("pagehide", () => putOwn(id));
  addEventListener("pageshow", () => takeOwn());
  return id;
}

async function claimOne(
  own: string | null,
  stored: readonly string[],
): Promise<string | undefined> {
  if (own !== null && (await lock(own, AbortSignal.timeout(RELOAD_MS)))) return own;
  // Without locks nobody knows whether another tab has a draft open.
  if (!hasLocks()) return undefined;
  for (const id of stored) if (id !== own && (await lock(id, null))) return id;
  return undefined;
}

async function claimNew(): Promise<string> {
  const id = randomId();
  await lock(id, null);
  return id;
}

/** Checks whether no tab has the draft open; false also where the browser has no locks. */
export async function isDraftFree(id: string): Promise<boolean> {
  if (!hasLocks()) return false;
  return navigator.locks.request(LOCK + id, { ifAvailable: true }, (held) => held !== null);
}

/**
 * Locks a draft for this tab until the tab is closed. Resolves with whether it succeeded; true where the browser has no
 * locks, as on plain http.
 * @param waiting time limit of the wait for another tab; null to not wait
 */
function lock(id: string, waiting: AbortSignal | null): Promise<boolean> {
  if (!hasLocks()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (held: Lock | null): Promise<never> | undefined => {
      resolve(held !== null);
      // The lock is held until the tab is closed.
      return held === null ? undefined : new Promise<never>(() => {});
    };
    const options = waiting === null ? { ifAvailable: true } : { signal: waiting };
    navigator.locks.request(LOCK + id, options, hold).catch(() => resolve(false));
  });
}

function hasLocks(): boolean {
  return "locks" in navigator;
}

function takeOwn(): string | null {
  try {
    const id = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return id;
  } catch {
    // The browser stores nothing, so there is no draft either.
    return null;
  }
}

function putOwn(id: string): void {
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // The next page starts with the newest draft that no tab has open.
  }
}
