import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's young generation at its initial size. Call it before the program is loaded: loading lets the generation grow
 * to 17 MB, and it never shrinks. The buffers that sounds pass through are freed by minor collections; a large young
 * generation makes these so rare that V8 collects the whole heap instead, eight times for the largest package. See
 * `docs/build/performance.md`.
 */
export function keepYoungMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
