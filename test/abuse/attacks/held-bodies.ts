import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, inParallel, patiently } from "../http-call.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";
import { announce, type Computer, pairUp, siteAddress } from "../strangers.ts";

const BODY_BYTES = 1_048_576;
const APPS = 25;

/** A6: bodies held one byte short. */
export const heldBodies: Attack = {
  name: "A6",
  title: "bodies held one byte short",
  promise:
    "However many bodies are unfinished, the relay stays under 600 MB, and an honest announcement is taken meanwhile.",
  run: holdBodies,
};

async function holdBodies(stage: Stage): Promise<Outcome> {
  const bodies = stage.isShort ? 1000 : 2500;
  await using relay = await stage.openRelay();
  const honest = await pairUp(relay, siteAddress(0x200));
  const strangers = await inParallel(APPS, 4, (index) => pairUp(relay, siteAddress(1 + index)));
  const before = await relay.usage();
  using held = new RawConnections(relay);
  const almost = Buffer.alloc(BODY_BYTES - 1, " ");
  const connections = await inParallel(bodies, 32, async (index) => {
    const { appToken, from } = strangers[index % APPS] as Computer;
    const head = requestHead("POST /packages", {
      Authorization: `Bearer ${appToken}`,
      "X-Forwarded-For": from,
      "Content-Length": BODY_BYTES,
    });
    const connection = (await held.open(head)).read();
    connection.write(almost);
    return connection;
  });
  await relay.settledUsage(stage.isShort ? 3000 : 8000);
  const admitted = await patiently(() => announce(relay, honest), { withinMs: 10_000 });
  const after = await relay.usage();
  const waiting = connections.filter(({ isOpen, status }) => isOpen && status === 0).length;
  return {
    what: "bodies of 1 MiB without their last byte",
    offered: connections.length,
    leastOffered: bodies,
    accepted: waiting,
    measures: [
      {
        name: "peak memory",
        value: after.peakMb,
        unit: "MB",
        baseline: before.residentMb,
        atMost: 600,
      },
      {
        name: "honest announcements meanwhile",
        value: countOf([admitted], 201),
        unit: "packages",
        atLeast: 1,
      },
    ],
  };
}
