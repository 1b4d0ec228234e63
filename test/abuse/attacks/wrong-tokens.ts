import { randomBytes } from "node:crypto";
import type { Attack, Outcome, Stage } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";
import { countOf, httpCall, inParallel } from "../http-call.ts";
import { siteAddress } from "../strangers.ts";

const WARM_UP_CALLS = 1000;

/** A14: calls with random tokens. */
export const wrongTokens: Attack = {
  name: "A14",
  title: "calls with random tokens",
  promise: "A call with a wrong token costs at most four times what /healthz costs.",
  run: callWithTokens,
};

async function callWithTokens(stage: Stage): Promise<Outcome> {
  const calls = stage.isShort ? 2000 : 10_000;
  await using relay = await stage.openRelay();
  const health = () => httpCall(relay, { path: "/healthz", from: siteAddress(1) });
  const withToken = (index: number) => {
    const token = randomBytes(32).toString("base64url");
    const path = index % 2 === 0 ? "/app/me" : "/importer/packages";
    return httpCall(relay, { path, token, from: siteAddress(2 + (index % 50)) });
  };
  // The first calls compile the code of both.
  await costOf(relay, WARM_UP_CALLS, health);
  await costOf(relay, WARM_UP_CALLS, withToken);
  const usual = await costOf(relay, calls, health);
  const wrong = await costOf(relay, calls, withToken);
  return {
    what: "calls with random tokens",
    offered: wrong.answers.length,
    leastOffered: 2000,
    accepted: countOf(wrong.answers, 200),
    measures: [
      {
        name: "processor time of a call",
        value: wrong.cpuMs * 1000,
        unit: "µs",
        baseline: usual.cpuMs * 1000,
        atMost: usual.cpuMs * 4000,
      },
    ],
  };
}

async function costOf(
  relay: Attacked,
  count: number,
  act: (index: number) => ReturnType<typeof httpCall>,
) {
  const before = await relay.usage();
  const answers = await inParallel(count, 32, act);
  return { answers, cpuMs: ((await relay.usage()).cpuMs - before.cpuMs) / count };
}
