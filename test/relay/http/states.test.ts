import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { itemOf, manifestOf } from "../../manifest-of.ts";

const HOUR = 3600;
const DAY = 86_400;

describe("from announcing to waiting", () => {
  test("[S1] a commit needs every file, names the missing ones, and can be repeated", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const files = Array.from({ length: 12 }, (_, index) => `sound number ${index}.wav`);
    const { package_id: id, upload } = await relay.announce(token, manifestOf(files));
    const commit = () => relay.call("POST", `/packages/${id}/commit`, { token });
    const refused = await commit();
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({
      code: "FILES_MISSING",
      error: "Missing: sound number 0.wav, sound number 1.wav, sound number 2.wav and 9 more",
      missing: files,
    });
    for (const file of files) {
      await relay.call("PUT", upload[file] ?? "", { token, body: smallWav() });
    }
    expect((await relay.status(token, id)).status).toBe("uploading");
    expect((await commit()).status).toBe(200);
    expect((await relay.status(token, id)).status).toBe("waiting");
    expect((await commit()).status).toBe(200);
  });

  test("[S1][S4] a package expires after an hour without a commit, and a commit is then 409", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const { package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
    relay.clock.pass(HOUR);
    const status = await relay.status(token, id);
    expect(status).toMatchObject({ status: "expired", expires_at: null, expires_in: null });
    const commit = await relay.call("POST", `/packages/${id}/commit`, { token });
    expect([commit.status, commit.json.code]).toEqual([409, "PACKAGE_EXPIRED"]);
  });

  test("[S7] the status body matches each state", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const { package_id: id, upload } = await relay.announce(
      token,
      manifestOf(["a.wav", "b.wav"], { title: "Night" }),
    );
    await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() });
    expect(await relay.status(token, id)).toEqual({
      package_id: id,
      title: "Night",
      status: "uploading",
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      expires_in: HOUR,
      files: { "a.wav": "uploaded", "b.wav": "missing" },
    });
    await relay.call("PUT", upload["b.wav"] ?? "", { token, body: smallWav() });
    await relay.call("POST", `/packages/${id}/commit`, { token });
    expect((await relay.status(token, id)).expires_in).toBe(DAY);
    const result = {
      status: "imported",
      track: "a (Looper)",
      file: "a.wav",
      notes: ["Gain was set on the track."],
      differences: [{ setting: "tempo_bpm", asked: 120, got: 60 }],
    };
    await importerCall(relay, importer.token, id).report({ 1: { ...result, secret: "x" } });
    const { status, results } = await relay.status(token, id);
    expect(status).toBe("partial");
    expect(results).toEqual({
      1: result,
      2: { status: "failed", error: expect.stringContaining("No result") },
    });
  });
});

describe("taking", () => {
  test("[S2] leases a package to one run; it still waits, and the app can't withdraw it", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    const { take, list } = importerCall(relay, importer.token, id);
    const taken = await take({ run_id: "a" });
    expect([taken.status, taken.json]).toEqual([
      200,
      { expires_at: expect.stringMatching(/Z$/), expires_in: 300 },
    ]);
    expect((await list())[0].taken).toBe(true);
    expect((await relay.status(token, id)).status).toBe("waiting");
    const back = await relay.call("DELETE", `/packages/${id}`, { token });
    expect([back.status, back.json.code]).toEqual([409, "PACKAGE_TAKEN"]);
    const other = await take({ run_id: "b" });
    expect([other.status, other.json.code]).toEqual([409, "RUN_ELSEWHERE"]);
    expect(other.json.expires_in).toBeGreaterThan(290);
    expect((await take({ run_id: "a" })).status).toBe(200);
    expect((await take({ run_id: "b", force: true })).status).toBe(200);
    relay.clock.pass(300);
    expect((await list())[0].taken).toBe(false);
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
    expect((await take({ run_id: "b" })).status).toBe(404);
  });

  test("[S2] counts a device without run ids as one run", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const { take } = importerCall(relay, importer.token, await relay.send(token));
    expect((await take()).status).toBe(200);
    expect((await take()).status).toBe(200);
    expect((await take({ run_id: "a" })).status).toBe(409);
    expect((await take({ run_id: 5 })).status).toBe(422);
  });

  test("[S2] lets exactly one of a concurrent take and withdrawal win", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "100" });
    const { importer, token } = await relay.paired();
    for (let round = 0; round < 10; round += 1) {
      const id = await relay.send(token);
      const calls = [
        () => relay.call("DELETE", `/packages/${id}`, { token }),
        () => importerCall(relay, importer.token, id).take({ run_id: "a" }),
      ];
      if (round % 2 === 0) calls.reverse();
      const statuses = (await Promise.all(calls.map((call) => call()))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    }
  });

  test("[S2] a running download renews the lease", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const wav = smallWav({ frames: 1_500_000 });
    const sound = manifestOf({ "a.wav": wav });
    const { package_id: id, upload } = await relay.announce(token, sound);
    await relay.call("PUT", upload["a.wav"] ?? "", { token, body: wav });
    await relay.call("POST", `/packages/${id}/commit`, { token });
    const { take, list } = importerCall(relay, importer.token, id);
    await take({ run_id: "a" });
    relay.clock.pass(200);
    await relay.call("GET", (await list())[0].files["a.wav"], { token: importer.token });
    relay.clock.pass(200);
    expect((await list())[0].taken).toBe(true);
  });
});

describe("reporting", () => {
  test("[S3] handles all, some or none imported; repeats, newer reports and unknown sounds", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token, ["a.wav", "b.wav"]);
    const { take, report } = importerCall(relay, importer.token, id);
    await take({ run_id: "a" });
    const both = { 1: { status: "imported" }, 2: { status: "imported" } };
    expect((await report({})).json).toEqual({ status: "failed" });
    expect((await report({ 1: { status: "imported" } })).json).toEqual({ status: "partial" });
    expect((await report(both)).json).toEqual({ status: "imported" });
    expect((await report(both)).status).toBe(200);
    const unknown = await report({ ...both, 3: { status: "imported" } });
    expect([unknown.status, unknown.json.code]).toEqual([422, "SOUND_UNKNOWN"]);
    for (const wrong of [
      { 1: null },
      { 1: { status: "done" } },
      { 1: { status: "failed", notes: 5 } },
    ]) {
      expect((await report(wrong)).status).toBe(422);
    }
    expect((await take({ run_id: "again" })).status).toBe(200);
    expect((await relay.status(token, id)).status).toBe("imported");
  });

  test("[S3] treats ids such as __proto__ as ordinary", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const wav = smallWav();
    const items = ["__proto__", "constructor"].map((soundId, index) =>
      Object.assign(itemOf(`${index}.wav`, wav), { id: soundId }),
    );
    const { package_id: id, upload } = await relay.announce(token, manifestOf([], { items }));
    for (const path of Object.values(upload)) await relay.call("PUT", path, { token, body: wav });
    await relay.call("POST", `/packages/${id}/commit`, { token });
    const answer = await relay.call("POST", `/importer/packages/${id}/results`, {
      token: importer.token,
      body: '{"results":{"__proto__":{"status":"imported"},"constructor":{"status":"imported"}}}',
    });
    expect(answer.json).toEqual({ status: "imported" });
    const { text } = await relay.call("GET", `/packages/${id}/status`, { token });
    expect(text).toContain('"__proto__":{"status":"imported"}');
    expect({}).not.toHaveProperty("status");
  });

  test("[S6] a withdrawal succeeds only in the states that allow it", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const back = async (id: string) =>
      (await relay.call("DELETE", `/packages/${id}`, { token })).status;
    const uploading = await relay.announce(token, manifestOf(["a.wav"]));
    expect(await back(uploading.package_id)).toBe(200);
    expect(await back(uploading.package_id)).toBe(404);
    const statuses = { imported: 409, partial: 409, failed: 200 };
    for (const [outcome, expected] of Object.entries(statuses)) {
      const id = await relay.send(token, ["a.wav", "b.wav"]);
      const { report, take } = importerCall(relay, importer.token, id);
      await report({
        ...(outcome !== "failed" && { 1: { status: "imported" } }),
        ...(outcome === "imported" && { 2: { status: "imported" } }),
      });
      expect((await relay.status(token, id)).status).toBe(outcome);
      if (outcome === "failed") {
        await take({ run_id: "a" });
        expect(await back(id)).toBe(409);
        await report({});
      }
      expect(await back(id)).toBe(expected);
    }
    const expired = await relay.announce(token, manifestOf(["a.wav"]));
    relay.clock.pass(HOUR);
    expect(await back(expired.package_id)).toBe(200);
  });
});
