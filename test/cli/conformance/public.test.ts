import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { startBreakingProxy } from "./faults/breaking-proxy.ts";
import { codeOf, expectKept, tryPlain, tryPublic } from "./hold-public.ts";
import { PLAIN_SHAPES, startPlainRelay } from "./plain-relay.ts";

test("[Q7] a relay that knows only the public specification keeps it: nothing fails, nothing is inconclusive", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
  expectKept(await tryPlain(relay, "silent"));
});

test("[Q7] with --token nothing revokes it, and what needs a code or an importer is skipped with its reason", async () => {
  await using relay = await RunningRelay.start();
  await using plain = await startPlainRelay(relay.url, PLAIN_SHAPES.talkative);
  const { token } = await relay.paired();
  const report = await tryPublic(relay, plain.url, { token });
  expect(report).toMatchObject({ keeps_the_contract: true, failed: 0, hindered: 0 });
  const reasons = new Map(report.checks.map(({ id, reason }) => [id, reason]));
  for (const id of ["code-works-once", "code-with-space", "unpaired-everywhere"]) {
    expect(reasons.get(id)).toContain("--code");
  }
  expect((await relay.call("GET", "/app/me", { token })).status).toBe(200);
});

test("[Q7] a token or a code that can't be used is a sentence", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {
    answer: (answered, { path }) => {
      if (path === "/pair/claim") answered.status = 403;
    },
  });
  const tries = [
    [relay.url, { token: "sfa_none" }, /doesn't know this token/],
    [relay.url, { code: "222222" }, /doesn't accept this pairing code/],
    [proxy.url, { code: "222222" }, /No app can be paired: .* gave no app_token: 403/],
  ] as const;
  for (const [url, given, sentence] of tries) {
    await expect(tryPublic(relay, url, given)).rejects.toThrow(sentence);
  }
});

test("[Q7] a claim that is answered without a token is that check's failure, and the report names the rest", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {
    answer: ({ json }) => {
      delete json?.app_token;
    },
  });
  const report = await tryPublic(relay, proxy.url, { code: await codeOf(relay) });
  const failed = report.checks.filter(({ outcome }) => outcome === "failed");
  expect(failed.map(({ id }) => id)).toEqual(["claim"]);
  const waiting = report.checks.filter(({ reason }) => reason?.includes("gave no app_token"));
  expect(waiting.length).toBeGreaterThan(50);
});
