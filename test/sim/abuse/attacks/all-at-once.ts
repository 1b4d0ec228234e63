import { availableParallelism } from "node:os";
import { Child } from "../../../bench/child.ts";
import { inParallel } from "../../http-call.ts";
import { type Computer, expectStatus, manifest, siteAddress, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost, type Stage } from "../attack.ts";
import { type Attacked, PROCESSES } from "../attacked-relay.ts";
import type { DriverCalls } from "../processes/drivers.ts";

const STRANGERS = 60;
const HONEST = 12;
const UPLOADS = 54;
const WATCHED = 8;
const SOCKETS = 4000;
const BODIES = 2500;
const WARM_UP_SECONDS = 8;
const RELAY_CORE = 0;
const DRIVERS_CORE = 1;

/** All floods at once for a minute, with honest senders between them. Too long for the others' list. */
export const allAtOnce: Attack = {
  name: "all",
  title: "all floods at once, with honest senders between them",
  promise:
    "Every honest upload of 10 MB arrives, a status is answered within 5 times the idle p99 or twice an empty server's, " +
    "and the relay stays under 600 MB.",
  run: async (stage) => {
    if (availableParallelism() < 2) throw new Error("It needs two cores: one for the relay.");
    const seconds = stage.seconds ?? (stage.isShort ? 15 : 60);
    const bare = await measured(stage, "empty", seconds);
    const { flood, honest, status, idleMs, peakMb } = await measured(stage, "relay", seconds);
    const bound = Math.max(5 * idleMs, 2 * bare.status.p99Ms);
    const wanted = floodOf(seconds);
    if (honest.failures.length > 0) process.stderr.write(`(${honest.failures.join(", ")}) `);
    return {
      what: "announcements",
      offered: flood.announced,
      leastOffered: 300 * seconds,
      accepted: flood.taken,
      measures: [
        atLeast(wanted.sockets, ["sockets tried", flood.sockets, "sockets"]),
        atLeast(wanted.bodies, ["bodies held", flood.bodies, "bodies"]),
        atLeast(200, ["uploads that trickle", flood.trickles, "uploads"]),
        atLeast(50, ["lists read by 50 readers", flood.reads, "lists"]),
        atLeast(wanted.uploads, ["honest uploads that arrived", honest.arrived, "uploads"]),
        atLeast(status.calls, ["status calls answered", status.answered, "calls"]),
        { name: "p99 of an idle relay", value: idleMs, unit: "ms" },
        { name: "p99 of an empty server, flooded", value: bare.status.p99Ms, unit: "ms" },
        atMost(bound, ["p99 of the relay, flooded", status.p99Ms, "ms"], idleMs),
        atMost(600, ["peak memory", peakMb, "MB"]),
      ],
    };
  },
};

/** Sizes the flood for so many seconds: as much a second as in the minute of the promise. */
function floodOf(seconds: number) {
  const part = (count: number) => Math.ceil((count * seconds) / 60);
  return { sockets: part(SOCKETS), bodies: part(BODIES), uploads: part(UPLOADS) };
}

/** Floods one server. */
async function measured(stage: Stage, file: "relay" | "empty", seconds: number) {
  await using server = await stage.openRelay({ file, core: RELAY_CORE });
  const driver = () => new Child<DriverCalls>("drivers", { folder: PROCESSES, core: DRIVERS_CORE });
  await using floods = driver();
  await using senders = driver();
  await using watcher = driver();
  const job = { url: server.url, seconds, ...floodOf(seconds) };
  const strangers = await setUp(server, file, STRANGERS, 0x10);
  const honestOnes = await setUp(server, file, HONEST, 0x4000);
  const watch = { ...job, ...(await setUp(server, file, WATCHED, 0x6000)) };
  await watcher.call("watch", { ...watch, seconds: WARM_UP_SECONDS / 2 });
  const idle = await watcher.call("watch", { ...watch, seconds: WARM_UP_SECONDS });
  const [flood, honest, status] = await Promise.all([
    floods.call("flood", { ...job, ...strangers }),
    senders.call("send", { ...job, ...honestOnes }),
    watcher.call("watch", watch),
  ]);
  const { peakMb } = await server.usage();
  return { flood, honest, status, idleMs: idle.p99Ms, peakMb };
}

/** Computers with an app each, and a package of four sounds that were announced. */
async function setUp(server: Attacked, file: string, count: number, site: number) {
  const ready = await inParallel(count, 4, async (index) => {
    if (file === "empty") {
      const from = siteAddress(site + index);
      return { computer: { from, importer: "imp", app: "app" } satisfies Computer, id: "pkg" };
    }
    const stranger = await Stranger.paired(server, site + index);
    // Notes of many bytes, so that the lists have something to tell.
    const notes = Array<string>(100).fill("n".repeat(480));
    const results = { "1": { status: "imported", notes } };
    expectStatus(await stranger.report(await stranger.send(), results), 200);
    return { computer: stranger.computer, id: await stranger.announced(manifest(4, 1_000_000)) };
  });
  return {
    computers: ready.map(({ computer }) => computer),
    packageIds: ready.map(({ id }) => id),
  };
}
