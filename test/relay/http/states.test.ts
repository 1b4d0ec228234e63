import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { itemOf, manifestOf } from "../../manifest-of.ts";

const HOUR = 3600;

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
});

describe("a long poll", () => {
  test("[S8] answers at once when there is nothing to wait for", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    const poll = async (query: string) =>
      (await relay.call("GET", `/packages/${id}/status?${query}`, { token })).json.status;
    expect(await poll("wait=30&known=uploading")).toBe("waiting");
    expect(await poll("wait=nonsense&known=waiting")).toBe("waiting");
    expect(await poll("wait=-5")).toBe("waiting");
    await importerCall(relay, importer.token, id).report({});
    expect(await poll("wait=999&known=failed")).toBe("failed");
  });

  test("[S8] answers after N seconds, 404 once deleted, 401 once revoked, at once when the relay stops", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const other = await relay.pair(importer, { appId: "another" });
    const path = `/packages/${await relay.send(token)}`;
    const unchanged = await relay.call("GET", `${path}/status?wait=0.05`, { token });
    expect(unchanged.json.status).toBe("waiting");
    const deleted = relay.call("GET", `${path}/status?wait=30`, { token });
    const revoked = relay.call("GET", `/packages/${await relay.send(other)}/status?wait=30`, {
      token: other,
    });
    await relay.call("DELETE", path, { token });
    expect((await deleted).status).toBe(404);
    await relay.call("POST", "/app/unpair", { token: other });
    expect((await revoked).status).toBe(401);
    const last = await relay.send(token);
    const listening = Promise.withResolvers<void>();
    const { notifier } = relay.relay.context;
    const listen = notifier.listen.bind(notifier);
    notifier.listen = (topic, listener) => {
      if (topic === `package:${last}`) listening.resolve();
      return listen(topic, listener);
    };
    const stopped = relay.call("GET", `/packages/${last}/status?wait=30`, { token });
    await listening.promise;
    await relay.stop();
    expect((await stopped).json.status).toBe("waiting");
  });
});

describe("reporting", () => {
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
