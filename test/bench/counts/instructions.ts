import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";

/** Instructions of the program alone, not of the system. */
const INSTRUCTIONS = "instructions:u";

/** Checks whether `perf` is installed and can count this event here. Virtual machines often can't count instructions. */
export function canCount(event = INSTRUCTIONS): boolean {
  const { status, stderr } = spawnSync("perf", ["stat", "-x,", "-e", event, "--", "true"]);
  return status === 0 && !String(stderr).includes("not ");
}

/** Counts the events of all threads of a process while `act` runs. */
export async function countEvents(
  pid: number,
  act: () => Promise<unknown>,
  event = INSTRUCTIONS,
): Promise<number> {
  const words = ["stat", "-x,", "-e", event, "-p", String(pid), "-D", "-1", "--control", "fd:3,4"];
  const perf = spawn("perf", words, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
  const ended = once(perf, "close");
  const report = text(perf.stderr as Readable);
  const [, , , orders, answers] = perf.stdio;
  const order = async (word: string) => {
    (orders as Writable).write(`${word}\n`);
    await once(answers as Readable, "data");
  };
  await order("enable");
  await act();
  await order("disable");
  perf.kill("SIGINT");
  await ended;
  const line = (await report).split("\n").find((one) => one.includes(event));
  return Number(line?.split(",")[0]);
}
