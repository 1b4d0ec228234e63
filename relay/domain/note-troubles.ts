import type { Context } from "./context.ts";

/**
 * Notes what keeps a part that several relays share from doing all it promises, in its own words: limits that count for
 * each process, changes that are only found by asking (rule SC31). The relay serves nevertheless.
 */
export async function noteTroubles({ health, limits, notifier }: Context): Promise<void> {
  health.note("limits", limits.trouble);
  health.note("changes", notifier.trouble);
}
