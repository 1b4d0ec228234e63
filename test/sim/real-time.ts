import { setTimeout as sleep } from "node:timers/promises";

/** Lets real time pass: until a kill at a random moment, or while a part is away. Only simulations may wait so. */
export function letPass(ms: number): Promise<void> {
  return sleep(ms);
}

/** A deadline for what would hang. @throws {Error} once it has passed */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const deadline = sleep(ms, undefined, { signal: late.signal }).then((): never => {
    throw new Error(`It took more than ${ms} ms.`);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    deadline.catch(() => undefined);
    late.abort();
  }
}
