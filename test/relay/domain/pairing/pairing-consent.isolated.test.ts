import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { claimPairing, issuePairingCode } from "../../../../relay/domain/pairing/pair.ts";
import {
  answerPairingRequest,
  readPairingRequest,
} from "../../../../relay/domain/pairing/pairing-consent.ts";
import { WAITING_CLAIMS, WAITING_CLAIMS_PER_ADDRESS } from "../../../../core/quotas/budgets.ts";
import { MINUTE } from "../../../contracts/relay/records/sample-records.ts";
import { countListeners } from "../../count-listeners.ts";
import { anotherProcess, claimCall, register } from "../use-cases.ts";
import { answer, APP, claim, NOT_PAIRED, openAsking, prompt, turns, WAIT_MS } from "./asking.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("a claim that needs a yes", () => {
  test("[P12] shows a prompt with the app's name and rough network, and a yes pairs at once", async () => {
    await using cases = await openAsking();
    const claiming = claim(cases, { ...APP, code: cases.code });
    expect(await prompt(cases)).toEqual({
      request_id: expect.stringMatching(/^req_[\w-]{22}$/),
      app_name: "Looper",
      network: "198.51.100.0/24",
      expires_at: "2026-01-01T00:10:00.000Z",
      expires_in: 600,
    });
    expect(cases.notified).toContain(`device:${cases.deviceId} pairing.asked`);
    cases.notified.length = 0;
    await answer(cases, "allow");
    expect(cases.notified).toContain(`device:${cases.deviceId} pairing.asked`);
    expect(await claiming.over).toBe("paired");
    expect(await readPairingRequest(cases.context, cases.deviceId)).toEqual({ request: null });
  });

  test("[P12] answers wrong, denied, disputed and unanswered ones alike and at the same moment", async () => {
    await using cases = await openAsking();
    const other = await register(cases);
    const { code: unanswered } = await issuePairingCode(cases.context, other.deviceId);
    const claims = [
      claim(cases, { ...APP, code: cases.code }),
      claim(cases, { ...APP, code: "222222" }, { address: "192.0.2.2" }),
      claim(cases, { ...APP, code: "no code" }, { address: "192.0.2.3" }),
      claim(cases, { ...APP, code: unanswered }, { address: "192.0.2.4" }),
    ];
    await answer(cases, "deny");
    await turns();
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(claims.map(({ outcome }) => outcome)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    await vi.advanceTimersByTimeAsync(1);
    await turns();
    expect(claims.map(({ outcome }) => outcome)).toEqual([
      NOT_PAIRED,
      NOT_PAIRED,
      NOT_PAIRED,
      NOT_PAIRED,
    ]);
  });

  test("[P12] pairs on the app's next try within two minutes of a late yes", async () => {
    await using cases = await openAsking();
    const body = { ...APP, code: cases.code };
    const first = claim(cases, body);
    await prompt(cases);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await first.over).toBe(NOT_PAIRED);
    await answer(cases, "allow");
    cases.clock.time += 2 * MINUTE - 1;
    const otherApp = claim(cases, { ...body, app_id: "another" });
    expect(await claim(cases, body).over).toBe("paired");
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await otherApp.over).toBe(NOT_PAIRED);
  });

  test("[P12] asks again once the yes is two minutes old", async () => {
    await using cases = await openAsking();
    const body = { ...APP, code: cases.code };
    const first = claim(cases, body);
    const { request_id } = await prompt(cases);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await first.over;
    await answer(cases, "allow");
    cases.clock.time += 2 * MINUTE;
    const second = claim(cases, body);
    expect((await prompt(cases)).request_id).not.toBe(request_id);
    await answer(cases, "allow");
    expect(await second.over).toBe("paired");
  });

  test("[P12] shows one prompt for a code; a second address ends the code, and the importer learns why", async () => {
    await using cases = await openAsking();
    const body = { ...APP, code: cases.code };
    const claims = [claim(cases, body), claim(cases, body)];
    const { request_id } = await prompt(cases);
    const told = () => cases.notified.filter((each) => each.endsWith("pairing.asked")).length;
    const before = told();
    claims.push(claim(cases, body, { address: "203.0.113.9" }));
    await turns();
    expect(told()).toBe(before + 1);
    expect(await readPairingRequest(cases.context, cases.deviceId)).toEqual({
      request: null,
      ended: "second-address",
    });
    const reply = { request_id, answer: "allow" };
    await expect(answerPairingRequest(cases.context, cases.deviceId, reply)).rejects.toMatchObject({
      code: "PAIRING_REQUEST_OVER",
      status: 404,
    });
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await Promise.all(claims.map(({ over }) => over))).toEqual(Array(3).fill(NOT_PAIRED));
    await issuePairingCode(cases.context, cases.deviceId);
    expect(await readPairingRequest(cases.context, cases.deviceId)).toEqual({ request: null });
  });

  test("[P12] is answered in another process than the one it waits in", async () => {
    await using cases = await openAsking();
    const claiming = claim(cases, { ...APP, code: cases.code });
    const { request_id } = await prompt(cases);
    const elsewhere = anotherProcess(cases);
    await answerPairingRequest(elsewhere, cases.deviceId, { request_id, answer: "allow" });
    expect(await claiming.over).toBe("paired");
  });

  test("[P12] holds a place while it waits: one more of an address is 429 in 2 s, and not counted", async () => {
    await using cases = await openAsking();
    const claims = Array.from({ length: WAITING_CLAIMS_PER_ADDRESS }, () =>
      claim(cases, { ...APP, code: "222222" }),
    );
    await turns();
    expect(cases.context.admission.budget("claims").used).toBe(WAITING_CLAIMS_PER_ADDRESS);
    await expect(
      claimPairing(
        cases.context,
        claimCall(async () => APP, "198.51.100.7"),
      ),
    ).rejects.toMatchObject({
      code: "TOO_MUCH_AT_ONCE",
      status: 429,
      extras: { retryAfterSeconds: 2 },
    });
    expect(cases.context.admission.budget("claims").used).toBe(WAITING_CLAIMS_PER_ADDRESS);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await Promise.all(claims.map(({ over }) => over));
    expect(cases.context.admission.budget("claims").used).toBe(0);
  });

  test("[P12] has one of 200 places, which nobody else has a share of; one more is 429 in 2 s", async () => {
    await using cases = await openAsking();
    const claims = Array.from({ length: WAITING_CLAIMS }, (_, index) =>
      claim(cases, { ...APP, code: "222222" }, { address: `10.0.${index}.1` }),
    );
    await turns();
    expect(cases.context.admission.budget("claims").used).toBe(200);
    await expect(
      claimPairing(
        cases.context,
        claimCall(async () => APP, "198.51.100.7"),
      ),
    ).rejects.toMatchObject({ code: "TOO_MUCH_AT_ONCE", extras: { retryAfterSeconds: 2 } });
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    await Promise.all(claims.map(({ over }) => over));
  });

  test("[P12] gives its place back at once when the caller hangs up or the relay stops", async () => {
    await using cases = await openAsking();
    const stopping = new AbortController();
    const claiming = claim(cases, { ...APP, code: cases.code }, { stopped: stopping.signal });
    await prompt(cases);
    stopping.abort();
    expect(await claiming.over).toBe("STOPPING");
    expect(cases.context.admission.budget("claims").used).toBe(0);
  });

  test("[P12] leaves no timer and no listener behind, however it ends", async () => {
    await using cases = await openAsking();
    const listening = countListeners(cases.context.notifier);
    const stopping = new AbortController();
    const { signal: stopped } = stopping;
    const held = () => [
      listening(),
      vi.getTimerCount(),
      getEventListeners(stopped, "abort").length,
    ];
    const body = { ...APP, code: cases.code };
    const unanswered = claim(cases, body, { stopped });
    await prompt(cases);
    await turns();
    expect(held()).toEqual([1, 2, 1]);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await unanswered.over).toBe(NOT_PAIRED);
    expect(held()).toEqual([0, 0, 0]);
    await answer(cases, "allow");
    expect(await claim(cases, body, { stopped }).over).toBe("paired");
    expect(held()).toEqual([0, 0, 0]);
    stopping.abort();
    expect(await claim(cases, body, { stopped }).over).toBe("STOPPING");
    expect(held()).toEqual([0, 0, 0]);
  });

  test("[P12] refuses an answer that is neither yes nor no", async () => {
    await using cases = await openAsking();
    for (const reply of [null, {}, { request_id: "req_1", answer: "maybe" }]) {
      await expect(
        answerPairingRequest(cases.context, cases.deviceId, reply),
      ).rejects.toMatchObject({ code: "PAIRING_ANSWER_WRONG", status: 422 });
    }
    await expect(
      answerPairingRequest(cases.context, cases.deviceId, { answer: "allow" }),
    ).rejects.toMatchObject({ code: "PAIRING_REQUEST_OVER" });
  });
});
