import type { Timers } from "../core/timers.ts";
import process from "node:process";
import { writeSync } from "node:fs";
import { type DestinationStream, type Logger, pino } from "pino";

/** Node's timers. */
export const NODE_TIMERS: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

let read: number | undefined;

/**
 * Returns the number of files and connections that this process may have open at once; Infinity if the system sets no
 * limit. Reads it once: only Node's whole diagnostic report has it, which takes milliseconds.
 */
export function descriptorLimit(): number {
  return (read ??= readLimit());
}

function readLimit(): number {
  // Otherwise the report asks for the name of every peer.
  Reflect.set(process.report, "excludeNetwork", true);
  const report: unknown = process.report.getReport();
  const soft = member(member(member(report, "userLimits"), "open_files"), "soft");
  return typeof soft === "number" ? soft : Infinity;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

const TRIES = 5;
const PAUSE_MS = 10;

/** Opens a log, one JSON object a line, with times in ISO 8601, UTC (rule E8). */
export function openLog(level: string, lines: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines);
}

/**
 * Writes log lines to a file descriptor. Drops a line that can't be written: on a full disk or without a reader, pino's
 * own destination retries forever, and the relay would neither answer nor end.
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

/** Writes bytes. Returns the number of bytes that couldn't be written. */
function writeSome(descriptor: number, bytes: Buffer, tries: number): number {
  let rest = bytes;
  for (let tried = 1; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // There is no place left to report it. A slow reader (EAGAIN) may make room, though.
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
