import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8's memory for new objects at the size it starts with, in a process that imports. Sounds pass
 * through it in pieces whose memory is given back at once, but V8 takes it for held until it next
 * collects new objects; with much room for those that is so rare that it collects the whole heap in their
 * place, eight times for the largest package. See `docs/performance.md`.
 */
export function keepYoungMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
