import { vi } from "vitest";

/** Waits for something that comes by way of a real socket or file; fails when it never comes. */
export async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!holds()) throw new Error(`never came true: ${holds.toString()}`);
    },
    { timeout: 10_000, interval: 5 },
  );
}
