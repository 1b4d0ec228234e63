import { writeSync } from "node:fs";
import type { DestinationStream } from "pino";

const TRIES = 5;
const PAUSE_MS = 10;

/**
 * Writes log lines to a file descriptor. A line that can't be written is dropped: pino's own destination tries for
 * ever where the disk is full or nobody reads, and the relay would neither answer nor end.
 */
export function logLines(descriptor: number): DestinationStream {
  let isStuck = false;
  return {
    write(line) {
      const left = writeSome(descriptor, Buffer.from(line), isStuck ? 1 : TRIES);
      isStuck = left > 0;
    },
  };
}

/** Returns how many bytes couldn't be written. */
function writeSome(descriptor: number, bytes: Buffer, tries: number): number {
  let rest = bytes;
  for (let tried = 1; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // There is nowhere left to say it. A slow reader (EAGAIN) may make room, though.
      if (!isFullPipe(error) || tried === tries) return rest.length;
      tried += 1;
      pause();
    }
  }
  return 0;
}

function isFullPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
