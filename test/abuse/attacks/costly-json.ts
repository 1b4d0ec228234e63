import type { Attack, Outcome, Stage } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";
import { countOf, httpCall, inParallel } from "../http-call.ts";
import { type Computer, manifest, pairUp, siteAddress } from "../strangers.ts";

const MIB = 1_048_576;

/** A5: bodies that are cheap to send and dear to read. */
export const costlyJson: Attack = {
  name: "A5",
  title: "bodies that are dear to read: nested lists, tens of thousands of keys",
  promise:
    "A refused body costs the relay at most five times the processor time of an accepted announcement of 32 sounds.",
  run: sendCostly,
};

async function sendCostly(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay();
  const apps = await inParallel(6, 2, (index) => pairUp(relay, siteAddress(1 + index)));
  const [honest] = apps as [Computer];
  const plain = Buffer.from(JSON.stringify(manifest(32)));
  await costOf(relay, honest, plain, 8);
  const usual = await costOf(relay, honest, plain, 16);
  const rounds = stage.isShort ? 10 : 40;
  const measures = [];
  let offered = 0;
  let accepted = 0;
  for (const [index, [name, body]] of Object.entries(costlyBodies()).entries()) {
    const { answers, cpuMs } = await costOf(relay, apps[index + 1] as Computer, body, rounds);
    offered += answers.length;
    accepted += countOf(answers, 201);
    measures.push({
      name,
      value: cpuMs,
      unit: "ms",
      baseline: usual.cpuMs,
      atMost: usual.cpuMs * 5,
    });
  }
  return { what: "bodies of 1 MiB", offered, leastOffered: rounds * 5, accepted, measures };
}

/** The processor time of one call, of all the relay's threads. */
async function costOf(relay: Attacked, computer: Computer, body: Buffer, count: number) {
  const { appToken: token, from } = computer;
  const before = await relay.usage();
  const answers = await inParallel(count, 2, () =>
    httpCall(relay, { path: "/packages", token, from, body }),
  );
  return { answers, cpuMs: ((await relay.usage()).cpuMs - before.cpuMs) / count };
}

function costlyBodies(): Readonly<Record<string, Buffer>> {
  const fill = (begin: string, piece: string, end: string) =>
    Buffer.from(
      begin + piece.repeat(Math.floor((MIB - begin.length - end.length) / piece.length)) + end,
    );
  const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(",");
  const itemKeys = Array.from({ length: 60_000 }, (_, index) => `"x${index}":""`).join(",");
  return {
    "nested lists": fill("", "[", ""),
    "nested lists that close": Buffer.from("[".repeat(MIB / 2) + "]".repeat(MIB / 2)),
    "90,000 unknown keys": Buffer.from(`{"schema":"app2host/1",${keys}}`),
    "a sound of 60,000 unknown keys": Buffer.from(
      `{"schema":"app2host/1","items":[{${itemKeys}}]}`,
    ),
    "400,000 sounds": fill(`{"schema":"app2host/1","items":[1`, ",1", "]}"),
  };
}
