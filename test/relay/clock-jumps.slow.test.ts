import { describe, expect, onTestFinished, test } from "vitest";
import { importerCall } from "./http/importer-call.ts";
import { storedKeys } from "./http/stored-keys.ts";
import {
  DAY,
  HOUR,
  jump,
  keptTime,
  newFolder,
  noticeOf,
  setClockInTests,
  start,
} from "./machine-clock.ts";
import { RunningRelay } from "./running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { soon } from "../sim/soon.ts";
import { manifestOf } from "../manifest-of.ts";

const SHORT_PROOF = { SOUNDFERRY_CLOCK_PROOF_S: "1" };

setClockInTests();

async function downloads(
  relay: RunningRelay,
  token: string,
  packageId: string,
): Promise<unknown[]> {
  const { list } = importerCall(relay, token, packageId);
  const { files } = (await list()).find(
    (one: { package_id: string }) => one.package_id === packageId,
  );
  return Promise.all(
    Object.values<string>(files).map(async (path) => {
      const answer = await fetch(relay.url + path, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [answer.status, Buffer.from(await answer.arrayBuffer()).equals(smallWav())];
    }),
  );
}

describe("one start with the clock two days ahead", () => {
  test("[Z6] D3: once the clock is right, nothing is lost: take 200, every download whole, the room as before", async () => {
    const folder = await newFolder();
    const room = { SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "3" };
    const before = await start(folder, room);
    const { importer, token } = await before.paired();
    const ids = [await before.send(token, ["kick.wav", "snare.wav"]), await before.send(token)];
    await before.stop();
    jump(2 * DAY);
    const ahead = await start(folder, room);
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await ahead.sweep();
    expect((await ahead.status(token, ids[0] ?? "")).status).toBe("waiting");
    const call = importerCall(ahead, importer.token, ids[0] ?? "");
    expect((await call.take({ run_id: "wrong" })).status).toBe(200);
    await ahead.stop();
    jump(-2 * DAY);
    const right = await start(folder, room);
    expect(noticeOf(right)).toBeUndefined();
    for (const id of ids) {
      const { status, files } = await right.status(token, id);
      expect([status, ...Object.values(files)]).not.toContain("missing");
      expect(status).toBe("waiting");
      expect((await importerCall(right, importer.token, id).take({ run_id: "r" })).status).toBe(
        200,
      );
    }
    expect(await downloads(right, importer.token, ids[0] ?? "")).toEqual([
      [200, true],
      [200, true],
    ]);
    expect(await downloads(right, importer.token, ids[1] ?? "")).toEqual([[200, true]]);
    await right.send(token);
    const full = await right.call("POST", "/packages", { token, body: manifestOf(["kick.wav"]) });
    expect(full.json.code).toBe("MANY_WAIT");
  });

  test("[Z6] a clock that jumps ahead and back while the relay runs deletes nothing", async () => {
    const relay = await start(await newFolder());
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    jump(2 * DAY);
    const ready = await relay.call("GET", "/readyz");
    expect([ready.status, ready.json.notices]).toEqual([
      200,
      [expect.stringContaining("jumped ahead")],
    ]);
    await relay.sweep();
    jump(-2 * DAY);
    await relay.sweep();
    expect(noticeOf(relay)).toContain("--reset-clock");
    expect((await relay.status(token, id)).status).toBe("waiting");
    expect(await downloads(relay, importer.token, id)).toEqual([[200, true]]);
    // What was announced meanwhile is stamped ahead, so it doesn't expire early either.
    const late = await relay.send(token);
    jump(DAY - HOUR);
    expect((await relay.status(token, late)).status).toBe("waiting");
  });
});

describe("a laptop that slept for 8 hours", () => {
  test("[Z6] nothing expires: the upload goes on, and a retry makes no second package", async () => {
    const relay = await start(await newFolder());
    const { token } = await relay.paired();
    const announce = () =>
      relay.call("POST", "/packages", {
        token,
        body: manifestOf(["kick.wav"]),
        headers: { "idempotency-key": "one" },
      });
    const first = await announce();
    jump(8 * HOUR);
    await relay.sweep();
    const again = await announce();
    expect(again.text).toBe(first.text);
    const id = first.json.package_id;
    expect((await relay.status(token, id)).status).toBe("uploading");
    const put = () =>
      relay.call("PUT", first.json.upload["kick.wav"], { token, body: new Uint8Array(smallWav()) });
    expect((await put()).status).toBe(200);
    expect((await relay.call("POST", `/packages/${id}/commit`, { token })).status).toBe(200);
    const status = await relay.status(token, id);
    expect(status).toMatchObject({ status: "waiting", expires_in: 86_400 });
  });

  test("[Z6] once the clock has run evenly for the time of proof, all expires without anyone's word", async () => {
    const relay = await start(await newFolder(), SHORT_PROOF);
    const { token } = await relay.paired();
    const { package_id: old } = await relay.announce(token, manifestOf(["kick.wav"]));
    const waiting = await relay.send(token);
    jump(8 * HOUR);
    const { package_id: late } = await relay.announce(token, manifestOf(["kick.wav"]));
    const stateOf = async (id: string) => (await relay.status(token, id)).status;
    expect(await stateOf(old)).toBe("uploading");
    await relay.sweep();
    expect(noticeOf(relay)).toContain("Nothing expires before");
    await advanceUntil(async () => (await stateOf(old)) === "expired");
    expect([await stateOf(waiting), await stateOf(late)]).toEqual(["waiting", "uploading"]);
    await relay.sweep();
    expect(noticeOf(relay)).toBeUndefined();
  });

  test("[Z6] its lease ends, and one that was taken while the clock was ahead holds nothing", async () => {
    const relay = await start(await newFolder());
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    const { take, list } = importerCall(relay, importer.token, id);
    await take({ run_id: "a" });
    expect((await take({ run_id: "b" })).status).toBe(409);
    jump(8 * HOUR);
    expect((await list())[0].taken).toBe(false);
    expect((await take({ run_id: "b" })).status).toBe(200);
    jump(-8 * HOUR);
    const { upkeep } = relay.relay.context;
    await (upkeep ?? expect.unreachable()).keep({ time: Date.now(), wasTimeReset: true });
    await relay.sweep();
    expect((await list())[0].taken).toBe(false);
    expect((await take({ run_id: "c" })).status).toBe(200);
    expect((await take({ run_id: "b" })).status).toBe(409);
  });

  test("[Z6] a limit in memory neither frees nor blocks anybody", async () => {
    const relay = await start(await newFolder(), { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2" });
    const claim = async () =>
      (await relay.call("POST", "/pair/claim", { body: { code: "AAA AAA" } })).status;
    expect([await claim(), await claim(), await claim()]).toEqual([400, 400, 429]);
    jump(8 * HOUR);
    expect(await claim()).toBe(429);
    jump(-16 * HOUR);
    expect(await claim()).toBe(429);
  });
});

describe("a relay that was off for three days", () => {
  test("[Z6] waits for the proof and no longer, and an import that began keeps its files", async () => {
    const folder = await newFolder();
    const before = await start(folder);
    const { importer, token } = await before.paired();
    const [idle, imported] = [await before.send(token), await before.send(token)];
    await before.stop();
    jump(3 * DAY);
    const relay = await start(folder, SHORT_PROOF);
    const stateOf = async (id: string) => (await relay.status(token, id)).status;
    expect([await stateOf(idle), await stateOf(imported)]).toEqual(["waiting", "waiting"]);
    const { take } = importerCall(relay, importer.token, imported);
    expect((await take({ run_id: "a" })).json.expires_in).toBe(300);
    await advanceUntil(async () => (await stateOf(idle)) === "expired");
    await relay.sweep();
    expect(await stateOf(imported)).toBe("waiting");
    expect(await downloads(relay, importer.token, imported)).toEqual([[200, true]]);
    expect(await storedKeys(relay)).toHaveLength(1);
    jump(5 * 60_000);
    expect(await stateOf(imported)).toBe("expired");
  });

  test("[Z6] keeps no time before it is proven, so the next start waits again", async () => {
    const folder = await newFolder();
    const before = await start(folder);
    const { token } = await before.paired();
    const id = await before.send(token);
    await before.stop();
    const stopped = Date.now();
    for (let day = 1; day <= 3; day += 1) {
      jump(DAY);
      const relay = await start(folder);
      expect((await relay.status(token, id)).status).toBe("waiting");
      await relay.stop();
    }
    const last = await start(folder, { SOUNDFERRY_CLOCK_PROOF_S: "0" });
    expect(await keptTime(last)).toBeGreaterThanOrEqual(stopped + 3 * DAY);
    expect((await last.status(token, id)).status).toBe("expired");
  });
});

test("[Z6] a relay keeps its time with the sweep after a change and when it stops; a given clock is trusted and not kept", async () => {
  const folder = await newFolder();
  const relay = await start(folder);
  const { upkeep } = relay.relay.context;
  jump(60_000);
  await relay.register();
  await relay.sweep();
  expect((await upkeep?.read())?.time).toBe(Date.now());
  jump(1000);
  const stoppedAt = Date.now();
  await relay.stop();
  const given = await RunningRelay.start({ SOUNDFERRY_DATA: folder });
  onTestFinished(() => given.stop());
  given.clock.pass(9 * 86_400);
  await given.sweep();
  expect(await keptTime(given)).toBe(stoppedAt);
});

/** Lets time pass by both clocks. The faked one passes with each look. */
async function advanceUntil(isReached: () => Promise<boolean>): Promise<void> {
  await soon(() => {
    jump(20);
    return isReached();
  }).toBe(true);
}
