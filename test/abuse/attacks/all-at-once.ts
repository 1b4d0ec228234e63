import { availableParallelism } from "node:os";
import type { Attack, Outcome, Stage } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";
import { httpCall, inParallel } from "../http-call.ts";
import type { FloodCalls } from "../processes/floods.ts";
import type { HonestCalls } from "../processes/honest-senders.ts";
import type { WatcherCalls } from "../processes/watcher.ts";
import { Program } from "../program.ts";
import {
  announce,
  type Computer,
  expectStatus,
  manifest,
  pairUp,
  sendSmall,
  siteAddress,
} from "../strangers.ts";

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
  run: floodAll,
};

async function floodAll(stage: Stage): Promise<Outcome> {
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
      { name: "sockets tried", value: flood.sockets, unit: "sockets", atLeast: wanted.sockets },
      { name: "bodies held", value: flood.bodies, unit: "bodies", atLeast: wanted.bodies },
      { name: "uploads that trickle", value: flood.trickles, unit: "uploads", atLeast: 200 },
      { name: "lists read by 50 readers", value: flood.reads, unit: "lists", atLeast: 50 },
      {
        name: "honest uploads that arrived",
        value: honest.arrived,
        unit: "uploads",
        atLeast: wanted.uploads,
      },
      {
        name: "status calls answered",
        value: status.answered,
        unit: "calls",
        atLeast: status.calls,
      },
      { name: "p99 of an idle relay", value: idleMs, unit: "ms" },
      { name: "p99 of an empty server, flooded", value: bare.status.p99Ms, unit: "ms" },
      {
        name: "p99 of the relay, flooded",
        value: status.p99Ms,
        unit: "ms",
        baseline: idleMs,
        atMost: bound,
      },
      { name: "peak memory", value: peakMb, unit: "MB", atMost: 600 },
    ],
  };
}

/** How much comes in so many seconds: as much a second as in the minute of the promise. */
function floodOf(seconds: number) {
  const part = seconds / 60;
  return {
    sockets: Math.ceil(SOCKETS * part),
    bodies: Math.ceil(BODIES * part),
    uploads: Math.ceil(UPLOADS * part),
  };
}

/** Floods one server. */
async function measured(stage: Stage, file: "relay" | "empty", seconds: number) {
  await using server = await stage.openRelay({ file, core: RELAY_CORE });
  const driver = (name: string) => ({ file: name, core: DRIVERS_CORE });
  await using floods = new Program<FloodCalls>(driver("floods"));
  await using senders = new Program<HonestCalls>(driver("honest-senders"));
  await using watcher = new Program<WatcherCalls>(driver("watcher"));
  const { url } = server;
  const strangers = await setUp(server, file, STRANGERS, 0x10);
  const honestOnes = await setUp(server, file, HONEST, 0x4000);
  const watched = await setUp(server, file, WATCHED, 0x6000);
  const callers = watched.map(({ computer: { appToken: token, from }, packageId }) => ({
    path: `/packages/${packageId}/status`,
    token,
    from,
  }));
  const watch = { url, callers };
  await watcher.call("watch", { ...watch, seconds: WARM_UP_SECONDS / 2 });
  const idle = await watcher.call("watch", { ...watch, seconds: WARM_UP_SECONDS });
  const [flood, honest, status] = await Promise.all([
    floods.call("flood", {
      url,
      computers: strangers.map(({ computer }) => computer),
      packageIds: strangers.map(({ packageId }) => packageId),
      seconds,
      ...floodOf(seconds),
    }),
    senders.call("send", {
      url,
      computers: honestOnes.map(({ computer }) => computer),
      uploads: floodOf(seconds).uploads,
      seconds,
    }),
    watcher.call("watch", { ...watch, seconds }),
  ]);
  const { peakMb } = await server.usage();
  return { flood, honest, status, idleMs: idle.p99Ms, peakMb };
}

interface Prepared {
  readonly computer: Computer;
  readonly packageId: string;
}

/** Computers with an app each, and a package of four sounds that were announced. */
function setUp(server: Attacked, file: string, count: number, site: number) {
  return inParallel(count, 4, async (index): Promise<Prepared> => {
    const from = siteAddress(site + index);
    if (file === "empty") {
      const computer = { from, deviceId: "", importerToken: "imp", appToken: "app" };
      return { computer, packageId: "pkg" };
    }
    const computer = await pairUp(server, from);
    const imported = await sendSmall(server, computer);
    await reportImported(server, computer, imported);
    const answer = expectStatus(await announce(server, computer, manifest(4, 1_000_000)), 201);
    return { computer, packageId: String(answer.json["package_id"]) };
  });
}

/** Reports an import with notes of many bytes, so that the lists have something to tell. */
async function reportImported(
  server: Attacked,
  { importerToken: token, from }: Computer,
  id: string,
) {
  const path = `/importer/packages/${id}`;
  expectStatus(await httpCall(server, { method: "POST", path: `${path}/take`, token, from }), 200);
  const notes = Array<string>(100).fill("n".repeat(480));
  const body = { results: { "1": { status: "imported", notes } } };
  expectStatus(await httpCall(server, { path: `${path}/results`, token, from, body }), 200);
}
