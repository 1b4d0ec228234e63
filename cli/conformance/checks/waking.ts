import type { Answer } from "../answer.ts";
import { assert } from "../assert.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { pathOfPackage } from "../relay-calls.ts";
import type { OpenCall } from "../wire.ts";

const BEAT_MS = 100;
/** So many later calls may be answered before an answer that is due. */
const BEATS = 15;

/** Time in which all relays of a service know of a change. */
const SPREADING_MS = 5_000;

/** Starts a status call that waits, and makes sure that the relay has it. */
export async function beginWait(
  kit: Kit,
  made: TestPackage,
  query: string,
): Promise<Pick<OpenCall, "answer" | "abort">> {
  const { token } = made.app;
  const call = kit.wire.open("GET", `${pathOfPackage(made.id)}/status${query}`, { token });
  call.end();
  await kit.status(made);
  return call;
}

/**
 * Resolves with an answer that is due now. It is measured by other calls, which a busy machine delays as well.
 * @param beats the number of later calls, at least 0.1 s apart, that may be answered before it
 * @throws {AssertionFailure} if it doesn't come, after it gave the call up
 */
export async function dueAnswer(
  kit: Kit,
  { answer, abort }: Pick<OpenCall, "answer" | "abort">,
  beats = BEATS,
): Promise<Answer> {
  let got: Answer | undefined;
  const came = answer.then((one) => (got = one));
  for (let beat = 0; ; beat += 1) {
    await Promise.race([came, kit.pause(BEAT_MS)]);
    if (got !== undefined) return got;
    if (beat >= beats) abort();
    assert(beat < beats, `No answer came, while ${beats} later calls were answered.`);
    await kit.call("GET", "/importer/hello");
  }
}

/** Acts while a status call waits, which then is due. */
export async function wakes(
  kit: Kit,
  made: TestPackage,
  known: string,
  act: () => Promise<unknown>,
): Promise<Answer> {
  const waiting = await beginWait(kit, made, `?wait=30&known=${known}`);
  await act();
  return dueAnswer(kit, waiting);
}

/** Asks until the answer is 401, as `askUntil` does. */
export function onceRevoked(kit: Kit, ask: () => Promise<Answer>): Promise<Answer> {
  return askUntil(kit, ask, ({ status }) => status === 401);
}

/**
 * Asks until the answer is due or the deadline is over, and returns the last answer. A service of several relays has a
 * second to tell all of them (rule A3); the deadline is longer, because the network and a busy machine take time, too.
 */
export async function askUntil(
  kit: Kit,
  ask: () => Promise<Answer>,
  isDue: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(Math.min(SPREADING_MS, kit.wire.answerMs));
  let answer = await ask();
  while (!isDue(answer) && !deadline.aborted) {
    await kit.pause(BEAT_MS);
    answer = await ask();
  }
  return answer;
}

/** Keeps a failure for the check that it is about: the other checks of its story go on. */
export async function settled<Result>(work: Promise<Result>): Promise<() => Result> {
  try {
    const result = await work;
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
