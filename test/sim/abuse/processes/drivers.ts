import { createHash } from "node:crypto";
import { Agent } from "node:http";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { percentile } from "../../../bench/bench-result.ts";
import { atPace, countOf, type HttpCall, httpCall } from "../../http-call.ts";
import { HeldConnections } from "../../held-connections.ts";
import { letPass } from "../../real-time.ts";
import { address6, type Computer, manifest, Stranger } from "../../stranger.ts";
import { smallWav } from "../../../wav-bytes.ts";

const ANNOUNCEMENTS_PER_SECOND = 320;
const STATUS_CALLS_PER_SECOND = 50;
const TRICKLES = 200;
const READERS = 50;
const BODY = Buffer.alloc(1_048_575, " ");
/** An app that sends in the background doesn't give up sooner. */
const WITHIN_MS = 180_000;
const SOUND = smallWav({ frames: 5_000_000 });

const LOGGED_AT_ONCE = 32;
/** Calls whose lines in a log would be long, or many. */
const LOGGED_CALLS: readonly HttpCall[] = [
  { path: `/${"x".repeat(10_000)}` },
  { path: "/app/me", token: "t".repeat(43) },
  { path: "/importer/packages" },
  { path: "/pair/claim", method: "POST" },
  { path: "/healthz", method: "DELETE" },
  { path: "/packages", method: "OPTIONS" },
  { path: "/nowhere", headers: { "x-service-client": "c".repeat(10_000) } },
];

interface Job {
  readonly url: string;
  readonly seconds: number;
  readonly computers: readonly Computer[];
  /** A package of each computer. */
  readonly packageIds: readonly string[];
  /** Number of sockets that are tried, bodies that are held and sounds that are sent. */
  readonly sockets: number;
  readonly bodies: number;
  readonly uploads: number;
}

/** The strangers take turns, so that none makes more calls than it may. */
function strangersOf({ url, computers }: Job): (index: number) => Stranger {
  const strangers = computers.map((computer) => new Stranger({ url }, computer));
  return (index) => strangers[index % strangers.length] as Stranger;
}

function isOverAfter(seconds: number): () => boolean {
  const endsAt = performance.now() + seconds * 1000;
  return () => performance.now() >= endsAt;
}

/** The calls that flood a relay, and those of its users meanwhile. */
export const driverCalls = {
  /** All floods at once. */
  flood: async (job: Job) => {
    using held = new HeldConnections(job);
    const stranger = strangersOf(job);
    const isOver = isOverAfter(job.seconds);
    const agent = new Agent({ keepAlive: true, maxSockets: 256 });
    const body = manifest(4);
    /** Holds so many calls, evenly over two thirds of the time. */
    const hold = (count: number, act: (index: number) => Promise<unknown>) =>
      atPace(count / (job.seconds * 0.667), (begun) => begun >= count, act);
    const [announced, sockets, bodies, trickles, reads] = await Promise.all([
      atPace(ANNOUNCEMENTS_PER_SECOND, isOver, (index) =>
        stranger(index).announce(body, { agent }),
      ),
      hold(job.sockets, (index) =>
        held.hold(stranger(index % 20), {
          line: "GET /importer/socket",
          as: "importer",
          isSocket: true,
        }),
      ),
      hold(job.bodies, (index) =>
        held.hold(stranger(index), {
          line: "POST /packages",
          as: "app",
          bytes: BODY.byteLength + 1,
          body: BODY,
        }),
      ),
      trickle(job, held, isOver),
      readLists(stranger, isOver),
    ]);
    agent.destroy();
    return {
      announced: announced.length,
      taken: countOf(announced, 201),
      sockets: sockets.length,
      bodies: bodies.length,
      trickles,
      reads,
    };
  },
  /** Sends packages of 10 MB, evenly over the time, and waits for the time that `Retry-After` names. */
  send: async (job: Job) => {
    const agent = new Agent({ keepAlive: true });
    const stranger = strangersOf(job);
    const sha256 = createHash("sha256").update(SOUND).digest("hex");
    const sound = { file: "sound-1.wav", bytes: SOUND.byteLength, sha256 };
    const body = { ...manifest(), items: [sound] };
    const outcomes = await atPace(
      job.uploads / (job.seconds * 0.9),
      (begun) => begun >= job.uploads,
      (index) =>
        stranger(index).sendPatiently(body, SOUND, WITHIN_MS, { agent, timeoutMs: WITHIN_MS }),
    );
    agent.destroy();
    const failures = outcomes.filter((outcome) => outcome !== "arrived");
    return { arrived: outcomes.length - failures.length, failures: [...new Set(failures)] };
  },
  /** Asks for a status again and again, as an honest app does: a slow answer never thins out the calls. */
  watch: async (job: Job) => {
    const agent = new Agent({ keepAlive: true });
    const stranger = strangersOf(job);
    const answers = await atPace(STATUS_CALLS_PER_SECOND, isOverAfter(job.seconds), (index) => {
      const id = job.packageIds[index % job.packageIds.length];
      return stranger(index).asApp(`/packages/${id}/status`, { agent });
    });
    agent.destroy();
    const ms = answers.filter(({ status }) => status === 200).map((answer) => answer.ms);
    return { calls: answers.length, answered: ms.length, p99Ms: percentile(ms, 0.99) };
  },
  /** Refused calls without a token, one after the other on each connection, from many addresses of one network. */
  floodLog: async ({ url, seconds }: Pick<Job, "url" | "seconds">) => {
    const agent = new Agent({ keepAlive: true, maxSockets: LOGGED_AT_ONCE });
    const isOver = isOverAfter(seconds);
    let [calls, accepted] = [0, 0];
    const callOn = async () => {
      while (!isOver()) {
        const call = LOGGED_CALLS[calls % LOGGED_CALLS.length] as HttpCall;
        calls += 1;
        const from = address6(calls % 1000, 0x7000);
        const { status } = await httpCall({ url }, { ...call, agent, from });
        if (status === 200 || status === 201) accepted += 1;
      }
    };
    await Promise.all(Array.from({ length: LOGGED_AT_ONCE }, callOn));
    agent.destroy();
    return { calls, accepted };
  },
};
export type DriverCalls = typeof driverCalls;

/** Uploads of a byte every five seconds. One that was ended begins again. */
async function trickle(job: Job, held: HeldConnections, isOver: () => boolean) {
  const stranger = strangersOf(job);
  const begin = (index: number) => {
    const id = job.packageIds[index % job.computers.length];
    const line = `PUT /packages/${id}/files/sound-${(index % 4) + 1}.wav`;
    return held.hold(stranger(index), { line, as: "app", bytes: 1_000_000 });
  };
  const running = await Promise.all(Array.from({ length: TRICKLES }, (_, index) => begin(index)));
  let begun = running.length;
  while (!isOver()) {
    for (const [index, each] of running.entries()) {
      if (each.isOpen) each.write("R");
      else running[index] = await begin((begun += 1));
    }
    await letPass(5000);
  }
  return begun;
}

/** Readers that ask for the list again as soon as they have it. */
async function readLists(stranger: (index: number) => Stranger, isOver: () => boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  let reads = 0;
  const reader = async (index: number) => {
    while (!isOver()) {
      await stranger(index % 10).asImporter("/importer/packages?after=", { agent });
      reads += 1;
      await letPass(50);
    }
  };
  await Promise.all(Array.from({ length: READERS }, (_, index) => reader(index)));
  agent.destroy();
  return reads;
}

answerCalls(driverCalls);
