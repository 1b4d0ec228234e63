import type { Translate } from "../messages/translate.ts";

/** Formats remaining time in at most two units: `23 h 10 min`, `8 min`, `45 s`. Negative spans are `0 s`. */
export function formatSpan(t: Translate, seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return t("format.seconds", { value: whole });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return t("format.minutes", { value: minutes });
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0
    ? t("format.hours", { value: hours })
    : t("format.hours-minutes", { hours, minutes: minutes % 60 });
}

/** Formats the rest of a wait for a refusal's sentence, never less than it is: `23 h 10 min`, `8 min`, `45 s`. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}

/** Formats minutes and seconds: `9:05`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Formats a sound's length: `0.4 s`, `12 s`, `3:05`. */
export function formatDuration(t: Translate, seconds: number): string {
  if (seconds >= 60) return formatCountdown(seconds);
  const value = seconds < 10 ? Math.max(1, Math.round(seconds * 10)) / 10 : Math.round(seconds);
  return t("format.seconds", { value });
}
