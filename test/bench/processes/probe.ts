import { mkdir, writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { getHeapStatistics } from "node:v8";
import type { Worker } from "node:worker_threads";
import { readCalls } from "./counters.ts";

const SAMPLE_EVERY_US = 200;

const threads = new Set<Worker>();
process.on("worker", (thread) => {
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
});

let session: Session | undefined;
let ofThreads: readonly ThreadProfile[] = [];

interface ThreadProfile {
  stop(): Promise<string>;
}

/** Answers of any process of a bench about itself. */
export const probe = {
  /** Its calls, and the bytes that JavaScript allocated: in its main thread, and in the other ones that it has now. */
  counts: async () => {
    const others = await Promise.all([...threads].map((thread) => thread.getHeapStatistics()));
    return {
      calls: readCalls(),
      allocated: allocatedOf(getHeapStatistics()),
      allocatedInThreads: others.reduce((sum, heap) => sum + allocatedOf(heap), 0),
    };
  },
  /** Processor time in microseconds: of all, of the main thread, and of the other ones that it has now. */
  processorTime: async () => {
    const others = await Promise.all([...threads].map((thread) => thread.cpuUsage()));
    return {
      all: sumOf(process.cpuUsage()),
      main: sumOf(process.threadCpuUsage()),
      threads: others.reduce((sum, usage) => sum + sumOf(usage), 0),
    };
  },
  /** Starts to profile all of its threads. */
  startProfile: async () => {
    session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
    ofThreads = await Promise.all([...threads].map((thread) => thread.startCpuProfile()));
    await session.post("Profiler.start");
  },
  /** Writes a profile of each thread into a folder, for Chrome's developer tools. Returns their paths. */
  stopProfile: async ({ folder }: { readonly folder: string }) => {
    const main = await session?.post("Profiler.stop");
    session?.disconnect();
    const others = await Promise.all(ofThreads.map((profile) => profile.stop()));
    const texts = [JSON.stringify(main?.profile), ...others];
    await mkdir(folder, { recursive: true });
    const paths = texts.map((_, index) =>
      join(folder, `${index === 0 ? "main" : `thread-${index}`}.cpuprofile`),
    );
    await Promise.all(texts.map((text, index) => writeFile(paths[index] ?? "", text)));
    return paths;
  },
};
export type Probe = typeof probe;
export type ProcessCounts = Awaited<ReturnType<Probe["counts"]>>;
export type ProcessorTime = Awaited<ReturnType<Probe["processorTime"]>>;

/** NaN before Node 26. */
function allocatedOf(heap: object): number {
  return "total_allocated_bytes" in heap ? Number(heap.total_allocated_bytes) : NaN;
}

function sumOf({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
