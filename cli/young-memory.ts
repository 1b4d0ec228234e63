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

/**
 * Has V8 collect more often, and optimize nothing, until the returned function is called: what only a start needs would
 * otherwise stay, since a process that waits collects nothing. Call it before the program is loaded.
 */
export function startInLittleMemory(): () => void {
  setFlagsFromString("--optimize-for-size");
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);
  return () => {
    setFlagsFromString("--no-optimize-for-size");
    for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
  };
}

/** V8's optimizing compilers. Node 22 comes with Maglev off. */
const COMPILERS =
  Number.parseInt(process.versions.node, 10) < 24 ? ["turbofan"] : ["maglev", "turbofan"];
