/** Such as `2026-11-21 13:45 UTC`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** Such as `2026-11-21`. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}
