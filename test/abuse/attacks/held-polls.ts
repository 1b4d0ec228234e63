import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { RawConnections, requestHead, settled } from "../raw-connections.ts";
import { announce, expectStatus, pairUp, siteAddress } from "../strangers.ts";

const POLLS = 500;
const POLLS_PER_APP = 64;

/** A12: long-polls, as many as a token's calls allow. */
export const heldPolls: Attack = {
  name: "A12",
  title: "long-polls held by hundreds",
  promise: "One app holds 64 long-polls, and its other calls and those of others are served.",
  run: holdPolls,
};

async function holdPolls(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay();
  const app = await pairUp(relay, siteAddress(1));
  const honest = await pairUp(relay, siteAddress(2));
  const id = String(expectStatus(await announce(relay, app), 201).json["package_id"]);
  using polls = new RawConnections(relay);
  const head = requestHead(`GET /packages/${id}/status?wait=30`, {
    Authorization: `Bearer ${app.appToken}`,
    "X-Forwarded-For": app.from,
  });
  const held = await inParallel(POLLS, 32, async () => (await polls.open(head)).read());
  const stillWaiting = () => held.filter(({ isOpen, status }) => isOpen && status === 0).length;
  const waiting = await settled(stillWaiting, POLLS_PER_APP);
  const others = await patiently(
    () => httpCall(relay, { path: "/app/me", token: honest.appToken, from: honest.from }),
    { withinMs: 5000 },
  );
  return {
    what: "long-polls of one app",
    offered: held.length,
    leastOffered: POLLS,
    accepted: waiting,
    measures: [
      {
        name: "long-polls that one app holds",
        value: waiting,
        unit: "calls",
        atMost: POLLS_PER_APP,
      },
      { name: "honest calls meanwhile", value: countOf([others], 200), unit: "calls", atLeast: 1 },
    ],
  };
}
