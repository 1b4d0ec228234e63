import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import type { LiveFacts } from "../../core/protocol/live-report.ts";

/** The question about Live's log, which needs no step in Live. */
export const LOG_CHECK = {
  id: "log",
  question: "Did Live log an error of a control surface?",
} as const;

/** The part of the log that is read, from its end. */
const MOST_BYTES = 1_000_000;
const MOST_LINES = 5;
/** An error of any script, or anything about ours that isn't just its name. */
const ERRORS = /RemoteScriptError|soundferry.*(?:error|exception|traceback|warning)/i;

/** Returns the errors in a log of Live; null where it can't be read. @param path undefined where there is no log */
export async function findInLog(path: string | undefined): Promise<LiveFacts | null> {
  const text = path === undefined ? undefined : await readEnd(path).catch(() => undefined);
  if (text === undefined) return null;
  const lines = text.split(/\r?\n/).filter((line) => ERRORS.test(line));
  return { errors: lines.length, last: lines.slice(-MOST_LINES) };
}

async function readEnd(path: string): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const length = Math.min(size, MOST_BYTES);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, size - length);
  return bytes.toString("utf8", 0, bytesRead);
}
