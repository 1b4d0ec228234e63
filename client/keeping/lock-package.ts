import { ClientError } from "../wire/client-error.ts";
import { randomId } from "../wire/random-id.ts";
import type { KeptPackages } from "./kept-packages.ts";

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

/**
 * Keeps other tabs from sending a package. Where browsers have no locks, such as on pages loaded over plain http,
 * a lease in the database takes their place.
 * @returns a function that ends the lock
 * @throws {ClientError} `SENT_ELSEWHERE`
 */
export async function lockPackage(id: string, kept: KeptPackages): Promise<() => void> {
  const locks: unknown = Reflect.get(Reflect.get(globalThis, "navigator") ?? {}, "locks");
  const end = isLocks(locks) ? await lockWith(locks, id) : await leaseIn(kept, id);
  if (end !== undefined) return end;
  throw new ClientError("Another tab is sending this package.", { code: "SENT_ELSEWHERE" });
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

async function leaseIn(kept: KeptPackages, id: string): Promise<(() => void) | undefined> {
  const owner = randomId();
  const take = (): Promise<boolean> => {
    const nowMs = Date.now();
    return kept.lease({ id, owner, untilMs: nowMs + LEASE_MS }, nowMs);
  };
  if (!(await take())) return undefined;
  const renewing = setInterval(() => void take().catch(() => false), RENEW_MS);
  return () => {
    clearInterval(renewing);
    void kept.endLease(id).catch(() => undefined);
  };
}
