/** Remaining time in at most two units: `23 h 10 min`, `8 min`, `45 s`. Negative spans are `0 s`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Minutes and seconds: `9:05`. */
function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A sound's length: `0.4 s`, `12 s`, `3:05`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${Math.max(0.1, seconds).toFixed(1)} s`;
  return seconds < 60 ? `${Math.round(seconds)} s` : formatCountdown(seconds);
}
