import { readFileSync } from "node:fs";
import { probe } from "./probe.ts";

/** The functions that a process offers to its parent. */
export type Calls<Api> = { readonly [Name in keyof Api]: (argument: never) => unknown };

export interface Request {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

/** The resources that a process has used since it started. */
export interface Usage {
  /** CPU time of all its threads, user and system. */
  readonly cpuMs: number;
  /** Resident memory now, in MB of 1,000,000 bytes. */
  readonly residentMb: number;
  /** The peak of its resident memory. */
  readonly peakMb: number;
}

/** Answers the calls of the parent process, and ends with it. */
export function answerCalls<Api extends Calls<Api>>(api: Api): void {
  const functions = new Map<string, (argument: never) => unknown>([
    ...Object.entries<(argument: never) => unknown>(api),
    ...Object.entries<(argument: never) => unknown>(probe),
    ["usage", readUsage],
  ]);
  process.on("message", ({ id, name, argument }: Request) => {
    // `Child.call` ties the argument's type to the name.
    const answer = async () => functions.get(name)?.(argument as never);
    const reply = (rest: object) => process.send?.({ id, ...rest });
    answer().then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.once("disconnect", () => process.exit());
}

function readUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    cpuMs: (user + system) / 1000,
    residentMb: process.memoryUsage.rss() / 1e6,
    peakMb: readPeakMb(),
  };
}

/** Linux: `VmHWM`, which starts at zero. Elsewhere `maxRSS`, which may include the parent's memory. */
function readPeakMb(): number {
  if (process.platform !== "linux") return (process.resourceUsage().maxRSS * 1024) / 1e6;
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
