import { percentile } from "../../../bench/bench-result.ts";
import { countOf, type HttpAnswer, httpCall, inParallel } from "../../http-call.ts";
import { Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";

const NEWCOMERS = 100;
const GUESSES = 500;
/** Registrations at once beside the newcomers. */
const FLOODERS = 4;
/** Time that a guess waits for its answer. */
const PATIENCE_MS = 1500;
/** The least time that counts as slow, because idle calls take few milliseconds. */
const LEAST_SLOW_MS = 500;

/** Registrations from networks that one person can get, until the day's are used up. */
export const keptOut: Attack = {
  name: "A20",
  title: "registering from seven /48s, then from 100 of seven /32s",
  promise:
    "However much seven /48s, or 100 of seven /32s, register and guess, each newcomer of another network registers, " +
    "pairs without a yes, and announces.",
  run: async (stage) => {
    const perDay = stage.isShort ? 2000 : 20_000;
    const settings = { SOUNDFERRY_REGISTRATIONS_PER_DAY: String(perDay) };
    await using relay = await stage.openRelay({ settings });
    const idle = await inParallel(20, 1, (index) => registering(relay, newcomerAt(200 + index)));
    const near = await inParallel(perDay * 1.2, 32, (index) => registering(relay, sevenAt(index)));
    await inParallel(GUESSES, 64, (index) =>
      new Stranger(relay, { from: sevenAt(index) }).claim("222222", { timeoutMs: PATIENCE_MS }),
    );
    const far = await inParallel(perDay * 0.6, 32, (index) => registering(relay, wideAt(index)));
    const over = new AbortController();
    const flooding = inParallel(FLOODERS, FLOODERS, (worker) => flood(relay, worker, over.signal));
    const served = await inParallel(NEWCOMERS, 4, (index) => arrive(relay, newcomerAt(index)));
    over.abort();
    const all = [...near, ...far, ...(await flooding).flat()];
    const honestMs = served.map(({ ms }) => ms);
    const idleMs = percentile(
      idle.map(({ ms }) => ms),
      0.99,
    );
    const refused = all.filter(({ status }) => status === 429);
    const untold = refused.filter(({ headers }) => !(Number(headers["retry-after"]) > 0));
    return {
      what: "registrations",
      offered: all.length,
      leastOffered: Math.floor(perDay * 1.8),
      accepted: countOf(all, 201),
      measures: [
        atLeast(NEWCOMERS, [
          "newcomers that registered, paired and announced",
          served.filter(({ isServed }) => isServed).length,
          "newcomers",
        ]),
        atMost(
          Math.max(10 * idleMs, LEAST_SLOW_MS),
          ["p99 of a newcomer's registration", percentile(honestMs, 0.99), "ms"],
          idleMs,
        ),
        atMost(0, ["refusals without a time", untold.length, "answers"]),
      ],
    };
  },
};

/** Addresses of seven /48s in one /32, each call from another /64. */
function sevenAt(index: number): string {
  return `2a01:db8:${(index % 7).toString(16)}:${(Math.floor(index / 7) % 65_536).toString(16)}::1`;
}

/** Addresses of 100 /48s of seven /32s. */
function wideAt(index: number): string {
  return `2a0${2 + (index % 7)}:db8:${(index % 100).toString(16)}:${(index % 65_536).toString(16)}::1`;
}

/** Addresses of networks of their own, every second one of IPv6. */
function newcomerAt(index: number): string {
  return index % 2 === 0 ? `${20 + (index % 100)}.${index}.7.7` : `2600:${index.toString(16)}::7`;
}

function registering(relay: Attacked, from: string) {
  return httpCall(relay, { path: "/importer/register", from, body: { device_name: "Studio" } });
}

/** Registers from 100 /48s of seven /32s until that is over. */
async function flood(relay: Attacked, worker: number, over: AbortSignal) {
  const answers: HttpAnswer[] = [];
  for (let index = worker; !over.aborted; index += FLOODERS) {
    answers.push(await registering(relay, wideAt(index)));
  }
  return answers;
}

/** Registers, pairs and announces, as a person does for the first time. */
async function arrive(relay: Attacked, from: string) {
  const { status, json, ms } = await registering(relay, from);
  if (status !== 201) return { isServed: false, ms };
  const importer = String(json["importer_token"]);
  try {
    const paired = await new Stranger(relay, { from, importer }).withApp();
    return { isServed: (await paired.announce()).status === 201, ms };
  } catch {
    return { isServed: false, ms };
  }
}
