import { expect, test } from "vitest";
import { letPass } from "../../sim/real-time.ts";
import { soon } from "../../sim/soon.ts";
import { ANSWERS } from "./hostile-answers.ts";
import {
  type AnswerBadly,
  answerWell,
  HostileRelay,
  isOfSetup,
  type HostileCall,
} from "./hostile-relay.ts";
import { holdHostile, toldSecrets } from "./hold-hostile.ts";

// hostile-relay.slow.test.ts tries every kind with all checks.

const ONLY = ["S1", "U5", "P5", "A2"];
const MOST_CALLS = 300;
/** By then there are packages to remove. */
const STOPPED_AT = 20;

test.each<keyof typeof ANSWERS>([
  "a body without an end",
  "20,000 lists",
  "tokens with line breaks",
])("[Q8] %s ends no run, and each check has a result", async (kind) => {
  for (const isFromStart of [true, false]) {
    await using relay = await HostileRelay.start({
      answer: (call) => (isOfSetup(call) && !isFromStart ? answerWell : ANSWERS[kind]),
    });
    const told = await holdHostile(relay.url, { only: ONLY });
    expect(toldSecrets(told, relay.secrets)).toEqual([]);
    // A sentence says why there is no report.
    expect(told).not.toMatchObject({ keeps_the_contract: true });
    expect(relay.calls).toBeLessThan(MOST_CALLS);
  }
});

test("[Q2] a report has no token and no code, also when the relay's answers do", async () => {
  for (const kind of [
    "what it was sent, as the error",
    "what it was sent, in its success",
  ] as const) {
    await using relay = await HostileRelay.start({
      answer: (call) => (isOfSetup(call) ? answerWell : ANSWERS[kind]),
    });
    const told = await holdHostile(relay.url, { only: ["S1", "S7", "A4", "I3"] });
    expect(relay.secrets.size).toBeGreaterThan(2);
    expect(toldSecrets(told, relay.secrets)).toEqual([]);
    expect(JSON.stringify(told)).toContain("(hidden)");
  }
});

test("[Q1][Q8] no redirect is followed", async () => {
  const statuses = [301, 302, 303, 307, 308];
  let redirected = 0;
  await using other = await HostileRelay.start({});
  const redirect: AnswerBadly = (response, { path }) => {
    redirected += 1;
    const status = statuses[redirected % statuses.length] ?? 301;
    response.writeHead(status, { location: other.url + path }).end();
  };
  await using relay = await HostileRelay.start({
    answer: (call) => (isOfSetup(call) ? answerWell : redirect),
    upgrade: () => (_, socket) =>
      socket.end(`HTTP/1.1 307 Go\r\nlocation: ${other.url}/importer/socket\r\n\r\n`),
  });
  await holdHostile(relay.url, { only: [...ONLY, "I3"] });
  expect([redirected > 10, other.calls]).toEqual([true, 0]);
});

test("[Q8] a relay that takes nearly all the time for each answer is waited for no more", async () => {
  const answerMs = 100;
  await using relay = await HostileRelay.start({
    answer: () => (response, call, self) =>
      void letPass(answerMs * 0.7).then(() => answerWell(response, call, self)),
  });
  const ended = JSON.stringify(await holdHostile(relay.url, { answerMs }));
  // On a busy machine some answers are late, which ends a run, too.
  expect(/The relay (is too slow|no longer answers in time)\./.test(ended)).toBe(true);
  expect(relay.calls).toBeLessThan(60);
});

test("[Q6][Q8] a stopped run cleans up, and ends also when nothing answers any more", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const hang = ({ method, path }: HostileCall): boolean => {
    asked.push(`${method} ${path}`);
    if (asked.length === STOPPED_AT) stop.abort(new Error("Stopped."));
    return asked.length >= STOPPED_AT;
  };
  await using relay = await HostileRelay.start({
    answer: (call) => (hang(call) ? ANSWERS["no answer"] : answerWell),
  });
  const run = holdHostile(relay.url, { only: ["S1", "S6"], signal: stop.signal });
  await expect(run).rejects.toThrow("Stopped.");
  const cleaning = asked.slice(STOPPED_AT).map((call) => call.replace(/pkg_.*/, "…"));
  expect(cleaning).toEqual(
    expect.arrayContaining(["DELETE /packages/…", "POST /app/unpair", "DELETE /importer/me"]),
  );
  await soon(() => relay.openCount).toBe(0);
});

test("[Q8] a run leaves no connection open", async () => {
  await using relay = await HostileRelay.start({
    answer: (call) => (call.method === "PUT" ? ANSWERS["no answer"] : answerWell),
  });
  await holdHostile(relay.url, { only: ONLY });
  await soon(() => relay.openCount).toBe(0);
});
