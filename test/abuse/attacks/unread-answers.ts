import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { siteAddress } from "../strangers.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";

const PER_CONNECTION = 50;
/** A document, a page, and the smallest one: each takes memory in a way of its own. */
const PATHS = ["/openapi.json", "/", "/importer/hello"];

/** A11: answers asked for again and again, none of them read. */
export const unreadAnswers: Attack = {
  name: "A11",
  title: "asking for answers in a row and reading none",
  promise:
    "With answers that nobody reads the relay stays under 600 MB, and others are served meanwhile.",
  run: askUnread,
};

async function askUnread(stage: Stage): Promise<Outcome> {
  const connections = stage.isShort ? 300 : 2500;
  await using relay = await stage.openRelay();
  const sizes = await inParallel(PATHS.length, 1, async (index) => {
    return (await httpCall(relay, { path: PATHS[index] ?? "/" })).body.byteLength;
  });
  const before = await relay.usage();
  using unread = new RawConnections(relay);
  await inParallel(connections, 32, (index) => {
    const head = requestHead(`GET ${PATHS[index % PATHS.length]}`, {
      "X-Forwarded-For": siteAddress(1 + index),
    });
    return unread.open(head.repeat(PER_CONNECTION));
  });
  await relay.settledUsage(3000);
  const honest = await patiently(() => httpCall(relay, { path: "/importer/hello" }), {
    withinMs: 10_000,
  });
  const after = await relay.usage();
  return {
    what: "answers",
    offered: connections * PER_CONNECTION,
    leastOffered: 300 * PER_CONNECTION,
    accepted: unread.openCount,
    measures: [
      {
        name: `peak memory (an answer has up to ${Math.round(Math.max(...sizes) / 1000)} kB)`,
        value: after.peakMb,
        unit: "MB",
        baseline: before.residentMb,
        atMost: 600,
      },
      { name: "honest calls meanwhile", value: countOf([honest], 200), unit: "calls", atLeast: 1 },
    ],
  };
}
