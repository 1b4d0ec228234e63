import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

/** Calls to the system by their name; a sentence where they can't be counted. */
export type SystemCalls = ReadonlyMap<string, number> | string;

const WHY_NOT = "Calls to the system: not counted here (strace isn't installed, or isn't allowed).";

/** Counts the calls to the system of all threads of a process while `act` runs. It runs slower meanwhile. */
export async function countSystemCalls(
  pid: number,
  path: string,
  act: () => Promise<unknown>,
): Promise<SystemCalls> {
  const strace = spawn("strace", ["-c", "-f", "-o", path, "-p", String(pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(strace, "close").catch(() => undefined);
  if (!(await isAttached(strace))) return WHY_NOT;
  await act();
  strace.kill("SIGINT");
  await ended;
  return readCounts(await readFile(path, "utf8"));
}

/** Reads the table that `strace -c` writes. */
export function readCounts(table: string): ReadonlyMap<string, number> {
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  const counts = rows
    .filter(([share]) => isNumber(share))
    .map((row): [string, number] => [row.at(-1) ?? "", Number(row[3])]);
  return new Map(counts.filter(([name]) => name !== "total"));
}

async function isAttached(strace: ChildProcess): Promise<boolean> {
  const says = once(strace.stderr ?? strace, "data").then(([text]) => String(text));
  const fails = once(strace, "exit").then(
    () => "",
    () => "",
  );
  return (await Promise.race([says, fails])).includes("attached");
}

function isNumber(word = ""): boolean {
  return /^\d+(\.\d+)?$/.test(word);
}
