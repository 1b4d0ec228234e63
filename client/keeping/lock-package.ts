import { randomId } from "../wire/random-id.ts";

/** Ownership of a package for a limited time, where browsers have no locks. */
export interface Lease {
  readonly id: string;
  readonly owner: string;
  readonly untilMs: number;
}

/** Takes and ends leases. */
export interface Leases {
  /** Takes or renews a lease; false while another owner has it. */
  lease(wanted: Lease, nowMs: number): Promise<boolean>;
  endLease(id: string): Promise<void>;
}

/** The part of a browser's Web Locks used here. */
interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    hold: (lock: object | null) => Promise<void> | undefined,
  ): Promise<void>;
}

const LEASE_MS = 15_000;
const RENEW_MS = 5000;
const LOOK_MS = 500;

/**
 * Keeps other tabs from sending a package. Where browsers have no locks, such as on pages loaded over plain http,
 * a lease in the database takes their place. That of a page that was killed or frozen ends on its own, and is waited for.
 * @returns a function that ends the lock; undefined while another tab has it
 */
export async function lockPackage(id: string, leases: Leases): Promise<(() => void) | undefined> {
  const locks: unknown = Reflect.get(Reflect.get(globalThis, "navigator") ?? {}, "locks");
  return isLocks(locks) ? lockWith(locks, id) : leaseIn(leases, id);
}

/** Trusts that anything with this name is the browser's own. */
function isLocks(found: unknown): found is Locks {
  return typeof found === "object" && found !== null;
}

function lockWith(locks: Locks, id: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(`soundferry ${id}`, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((end) => resolve(end));
        resolve(undefined);
        return undefined;
      })
      .catch(reject);
  });
}

async function leaseIn(leases: Leases, id: string): Promise<(() => void) | undefined> {
  const owner = randomId();
  const take = (): Promise<boolean> => {
    const nowMs = Date.now();
    return leases.lease({ id, owner, untilMs: nowMs + LEASE_MS }, nowMs);
  };
  for (const endMs = performance.now() + LEASE_MS; !(await take());) {
    if (performance.now() > endMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const renewing = setInterval(() => void take().catch(() => false), RENEW_MS);
  return () => {
    clearInterval(renewing);
    void leases.endLease(id).catch(() => undefined);
  };
}
