import { timeText } from "../../../core/time.ts";
import type { Context } from "../context.ts";
import { type ClockJump, noticesJumps } from "../ports.ts";

/**
 * Keeps the time for the next start, so that a jump of the clock while the relay is off is noticed, and tells
 * operators of a jump (rule Z6). A time that is not proven is never kept. Heeds an operator who says
 * that the machine's clock is right.
 */
export async function keepTime(context: Context): Promise<void> {
  const { clock, upkeep } = context;
  if (!noticesJumps(clock)) return;
  if (await upkeep?.wasTimeReset()) {
    clock.restart();
    // What is cached until a time may be cached for days now.
    context.known.forget();
    context.notifier.missed();
    await upkeep?.heedReset(clock.provenNow());
  }
  const jump = noteClock(context);
  if (jump?.kind !== "forward") await upkeep?.keepTime(clock.provenNow());
}

/** Says what is wrong with the clock, or that nothing is. */
export function noteClock({ clock, health }: Context): ClockJump | undefined {
  if (!noticesJumps(clock)) return undefined;
  const jump = clock.findJump();
  health.note("clock", jump && sentenceOf(jump));
  return jump;
}

function sentenceOf(jump: ClockJump): string {
  if (jump.kind === "back") {
    return (
      "The clock of this machine was set back, so the relay's time is ahead of it, and packages are kept " +
      "longer. If the clock is right now, run `soundferry relay check --reset-clock`."
    );
  }
  const provenAt = timeText(jump.provenAt).slice(0, 16).replace("T", " ");
  return (
    "The clock of this machine jumped ahead by more than an hour. Nothing expires before " +
    `${provenAt} UTC. If the clock is wrong, set it right before then.`
  );
}
