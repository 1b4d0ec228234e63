import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's young generation at its initial size, in a process that imports. Call it before the program is loaded: loading
 * lets the generation grow to 17 MB, and it never shrinks. The buffers that sounds pass through are freed by minor
 * collections; a large young generation makes these so rare that V8 collects the whole heap instead, eight times for the
 * largest package. See `docs/build/performance.md`.
 */
export function keepYoungMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/**
 * Lets V8 collect more often until the returned function is called: what only a start needs would otherwise stay, since a
 * process that waits collects nothing. Call it before the program is loaded.
 */
export function startInLittleMemory(): () => void {
  setFlagsFromString("--optimize-for-size");
  return () => setFlagsFromString("--no-optimize-for-size");
}
