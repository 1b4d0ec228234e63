/** `WHOLE_FORMS=1`, as the nightly tests set it, tries everything. Otherwise tests that could try hundreds try a few. */
export const WHOLE_FORMS = process.env["WHOLE_FORMS"] === "1";

/** Returns all, or about `few` in equal steps: the last one, from two on also the first. */
export function someOf<One>(all: readonly One[], few: number): readonly One[] {
  if (WHOLE_FORMS || few >= all.length) return all;
  const step = (all.length - 1) / Math.max(few - 1, 1);
  const taken = new Set(
    Array.from({ length: few }, (_, turn) => all.length - 1 - Math.round(turn * step)),
  );
  return all.filter((_, index) => taken.has(index));
}

/** Returns the numbers from 1 to `count`, or about `few` of them. */
export function callsToTry(count: number, few: number): readonly number[] {
  return someOf(
    Array.from({ length: count }, (_, index) => index + 1),
    few,
  );
}
