import { letPass } from "../../sim/real-time.ts";
import { holdHostile } from "./hold-hostile.ts";

// A process of its own, whose memory is measured: one run of the kit against a hostile relay. Its answers get the time that
// their size takes.

const LOOK_MS = 5;

let peak = 0;
const over = new AbortController();
const run = holdHostile(process.argv[2] ?? "", { answerMs: 5000 }).finally(() => over.abort());
for (; !over.signal.aborted; await letPass(LOOK_MS)) {
  // What the kit keeps or has just let go. The process has more, because the allocator gives little back.
  const { heapUsed, external } = process.memoryUsage();
  peak = Math.max(peak, heapUsed + external);
}
await run;
process.stdout.write(JSON.stringify({ peakMb: Math.round(peak / 2 ** 20) }));
