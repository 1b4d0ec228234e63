import { randomId } from "../../../client/wire/random-id.ts";

const KEY = "soundferry.draft";
const LOCK = "soundferry.draft.";
/** A page that is being reloaded lets go of its draft a moment after the new one starts. */
const RELOAD_MS = 1000;

/**
 * Returns the id of the draft that this tab works on: its own after a reload, otherwise the newest that no tab
 * has open, otherwise a new one. No two tabs get the same.
 * @param stored ids of the stored drafts, newest first
 */
export async function claimDraft(stored: readonly string[]): Promise<string> {
  const own = takeOwn();
  const id = (await claimOne(own, stored)) ?? (await claimNew());
  // Only while the page is away: a tab opened or copied from this one must not inherit the id.
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

/** Whether no tab has the draft open; false also where the browser has no locks. */
export async function isDraftFree(id: string): Promise<boolean> {
  if (!hasLocks()) return false;
  return navigator.locks.request(LOCK + id, { ifAvailable: true }, (held) => held !== null);
}

/**
 * Whether the draft is this tab's from now on, until it is closed. True where the browser has no locks, as on
 * plain http.
 * @param waiting how long to wait for another tab; null: not at all
 */
function lock(id: string, waiting: AbortSignal | null): Promise<boolean> {
  if (!hasLocks()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (held: Lock | null): Promise<never> | undefined => {
      resolve(held !== null);
      // Held until the tab is closed.
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
    // The browser stores nothing: there is no draft either.
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
