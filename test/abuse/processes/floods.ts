import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { httpCall } from "../http-call.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";
import { type Computer, manifest } from "../strangers.ts";

const ANNOUNCEMENTS_PER_SECOND = 320;
const TRICKLES = 200;
const READERS = 50;
const BODY = Buffer.alloc(1_048_575, " ");

interface Job {
  readonly url: string;
  readonly computers: readonly Computer[];
  /** A package of each computer, whose upload trickles. */
  readonly packageIds: readonly string[];
  readonly seconds: number;
  /** How many sockets are tried and bodies held. */
  readonly sockets: number;
  readonly bodies: number;
}

/** All floods at once, for so long. */
export const floodCalls = {
  flood: async (job: Job) => {
    using held = new RawConnections({ port: Number(new URL(job.url).port) });
    const endsAt = performance.now() + job.seconds * 1000;
    const [announced, sockets, bodies, trickles, reads] = await Promise.all([
      announceOn(job, endsAt),
      openSockets(job, held),
      holdBodies(job, held),
      trickleOn(job, held, endsAt),
      readLists(job, endsAt),
    ]);
    return { ...announced, sockets, bodies, trickles, readers: READERS, reads };
  },
};
export type FloodCalls = typeof floodCalls;

const one = (computers: readonly Computer[], index: number) =>
  computers[index % computers.length] as Computer;

/** At a steady pace, whether or not the earlier ones are answered. */
async function announceOn({ url, computers, seconds }: Job, endsAt: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const asked: Promise<{ readonly status: number }>[] = [];
  const startedAt = performance.now();
  while (performance.now() < endsAt) {
    const due = ((performance.now() - startedAt) / 1000) * ANNOUNCEMENTS_PER_SECOND;
    while (asked.length < due) {
      const { appToken: token, from } = one(computers, asked.length);
      asked.push(httpCall({ url }, { path: "/packages", token, from, agent, body: manifest(4) }));
    }
    await sleep(10);
  }
  const answers = await Promise.all(asked);
  agent.destroy();
  const answered = answers.filter(({ status }) => status !== 0).length;
  const taken = answers.filter(({ status }) => status === 201).length;
  return { announced: answers.length, answered, taken, perSecond: answers.length / seconds };
}

/** Evenly over two thirds of the time. */
async function evenly(count: number, seconds: number, act: (index: number) => Promise<unknown>) {
  const acts: Promise<unknown>[] = [];
  const startedAt = performance.now();
  while (acts.length < count) {
    const due = ((performance.now() - startedAt) / (seconds * 667)) * count;
    while (acts.length < Math.min(due, count)) acts.push(act(acts.length));
    await sleep(20);
  }
  await Promise.all(acts);
  return acts.length;
}

function openSockets({ computers, seconds, sockets }: Job, held: RawConnections) {
  return evenly(sockets, seconds, async (index) => {
    const { importerToken, from } = one(computers, index % 20);
    const head = requestHead("GET /importer/socket", {
      Authorization: `Bearer ${importerToken}`,
      "X-Forwarded-For": from,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": 13,
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    });
    (await held.open(head)).read();
  });
}

function holdBodies({ computers, seconds, bodies }: Job, held: RawConnections) {
  return evenly(bodies, seconds, async (index) => {
    const { appToken, from } = one(computers, index);
    const head = requestHead("POST /packages", {
      Authorization: `Bearer ${appToken}`,
      "X-Forwarded-For": from,
      "Content-Length": BODY.byteLength + 1,
    });
    const connection = (await held.open(head)).read();
    connection.write(BODY);
  });
}

/** Uploads of a byte every five seconds. One that was ended begins again. */
async function trickleOn({ computers, packageIds }: Job, held: RawConnections, endsAt: number) {
  const begin = async (index: number) => {
    const { appToken, from } = one(computers, index);
    const path = `/packages/${packageIds[index % computers.length]}/files/sound-${(index % 4) + 1}.wav`;
    const head = requestHead(`PUT ${path}`, {
      Authorization: `Bearer ${appToken}`,
      "X-Forwarded-For": from,
      "Content-Length": 1_000_000,
    });
    return (await held.open(head)).read();
  };
  const running = await Promise.all(Array.from({ length: TRICKLES }, (_, index) => begin(index)));
  let begun = running.length;
  while (performance.now() < endsAt) {
    for (const [index, each] of running.entries()) {
      if (each.isOpen) each.write("R");
      else running[index] = await begin((begun += 1));
    }
    await sleep(5000);
  }
  return begun;
}

/** Readers that ask for the list again as soon as they have it. */
async function readLists({ url, computers }: Job, endsAt: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS });
  let reads = 0;
  const reader = async (index: number) => {
    const { importerToken: token, from } = one(computers, index % 10);
    while (performance.now() < endsAt) {
      await httpCall({ url }, { path: "/importer/packages?after=", token, from, agent });
      reads += 1;
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: READERS }, (_, index) => reader(index)));
  agent.destroy();
  return reads;
}

answerCalls(floodCalls);
