import type { Context } from "../context.ts";

/** Notes, in the notifier's words, that changes of other relays are only found by asking (rule SC31). */
export async function noteTroubles({ health, notifier }: Context): Promise<void> {
  health.note("changes", notifier.trouble);
}
