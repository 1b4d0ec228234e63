import type { SendProgress } from "./send-options.ts";

/**
 * Sums the progress of all sounds.
 * @param sizes bytes of each sound, by its name on the relay
 * @returns a function to call with a sound's bytes done so far
 */
export function countBytes(
  phase: SendProgress["phase"],
  sizes: ReadonlyMap<string, number>,
  onProgress: ((progress: SendProgress) => void) | undefined,
): (file: string, fileBytes: number) => void {
  const totalBytes = sumOf(sizes.values());
  const done = new Map<string, number>();
  return (file, fileBytes) => {
    done.set(file, fileBytes);
    onProgress?.({ phase, file, fileBytes, doneBytes: sumOf(done.values()), totalBytes });
  };
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
