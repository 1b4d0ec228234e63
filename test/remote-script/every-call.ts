/** `EVERY_CALL=1` tries each call of Live in turn; else a test that can try hundreds takes some of them. */
const TRIES_ALL = process.env["EVERY_CALL"] === "1";

/** Returns all numbers from 1 to `count`, or about `few` of them in equal steps, the first and last included. */
export function callsToTry(count: number, few: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  const step = (count - 1) / (few - 1);
  if (TRIES_ALL || step <= 1) return all;
  return Array.from({ length: few }, (_, index) => 1 + Math.round(index * step));
}
