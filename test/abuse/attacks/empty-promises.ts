import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, type HttpAnswer, inParallel, patiently } from "../http-call.ts";
import { announce, type Computer, manifest, pairUp, siteAddress } from "../strangers.ts";

/** The disk that the attacked relay may fill. */
const ROOM_BYTES = 3 * 1024 ** 3;
const HOLD_SECONDS = 2;
const PACKAGE_BYTES = 200_000_000;
const STRANGERS = 20;
const CALLS_EACH = 25;

/** A3: announcements of what never comes. */
export const emptyPromises: Attack = {
  name: "A3",
  title: "announcing packages and sending nothing",
  promise:
    "What is announced and doesn't come holds room only for a while (set to 2 s here): then a stranger to the attack gets room.",
  run: announceOnly,
};

async function announceOnly(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay({
    diskBytes: ROOM_BYTES,
    settings: {
      SOUNDFERRY_ROOM_HOLD_S: String(HOLD_SECONDS),
    },
  });
  const honest = await pairUp(relay, siteAddress(0x700));
  const strangers = await inParallel(STRANGERS, 4, (index) =>
    pairUp(relay, siteAddress(0x10 + index)),
  );
  const calls = await inParallel(STRANGERS * CALLS_EACH, 8, async (index) => {
    const startedAt = performance.now();
    const stranger = strangers[index % STRANGERS] as Computer;
    const answer = await announce(relay, stranger, manifest(1, PACKAGE_BYTES));
    return { answer, startedAt, answeredAt: performance.now() };
  });
  const answers = calls.map(({ answer }) => answer);
  const heldMb = (mostAtOnce(calls) * PACKAGE_BYTES) / 1e6;
  const admitted = await patiently(() => announce(relay, honest, manifest(1, PACKAGE_BYTES)), {
    withinMs: (HOLD_SECONDS + 8) * 1000,
  });
  return {
    what: "announcements of 200 MB",
    offered: answers.length,
    leastOffered: 500,
    accepted: countOf(answers, 201),
    measures: [
      {
        name: "announced, never sent, and held at once",
        value: heldMb,
        unit: "MB",
        baseline: ROOM_BYTES / 1e6,
        atMost: ROOM_BYTES / 1e6,
      },
      {
        name: "honest announcements admitted after the hold",
        value: countOf([admitted], 201),
        unit: "packages",
        atLeast: 1,
      },
    ],
  };
}

interface TimedCall {
  readonly answer: HttpAnswer;
  readonly startedAt: number;
  readonly answeredAt: number;
}

/** How many packages held room at the same moment, without doubt: each from its answer until the hold after its call. */
function mostAtOnce(calls: readonly TimedCall[]): number {
  const admitted = calls.filter(({ answer }) => answer.status === 201);
  const heldAt = (moment: number) =>
    admitted.filter(
      ({ startedAt, answeredAt }) =>
        answeredAt <= moment && moment < startedAt + HOLD_SECONDS * 1000,
    );
  return Math.max(0, ...admitted.map(({ answeredAt }) => heldAt(answeredAt).length));
}
