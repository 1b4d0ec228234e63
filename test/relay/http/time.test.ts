import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { storedKeys } from "./stored-keys.ts";

const DAY = 86_400;

describe("time", () => {
  test("[S4] 24 hours after the commit the files are gone, imported or not, swept or not", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const waiting = await relay.send(token);
    const imported = await relay.send(token);
    const { report, list } = importerCall(relay, importer.token, imported);
    await report({ 1: { status: "imported" } });
    expect(await list()).toHaveLength(2);
    relay.clock.pass(DAY);
    expect(await list()).toEqual([]);
    expect((await relay.status(token, waiting)).status).toBe("expired");
    expect((await relay.status(token, imported)).status).toBe("imported");
    const file = await relay.call("GET", `/importer/packages/${imported}/files/kick.wav`, {
      token: importer.token,
    });
    expect(file.status).toBe(409);
    await relay.sweep();
    expect(await storedKeys(relay)).toEqual([]);
    expect((await relay.status(token, waiting)).status).toBe("expired");
  });

  test("[S4] a take before that time keeps files and state until the lease ends", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    relay.clock.pass(DAY - 100);
    const { take, list } = importerCall(relay, importer.token, id);
    await take({ run_id: "a" });
    relay.clock.pass(200);
    await relay.sweep();
    expect((await relay.status(token, id)).status).toBe("waiting");
    const file = await relay.call("GET", (await list())[0].files["kick.wav"], {
      token: importer.token,
    });
    expect(file.status).toBe(200);
    relay.clock.pass(300);
    expect((await relay.status(token, id)).status).toBe("expired");
  });

  test("[S5] the status stays readable for seven more days, then it is 404", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const id = await relay.send(token);
    relay.clock.pass(8 * DAY - 60);
    await relay.sweep();
    expect((await relay.status(token, id)).status).toBe("expired");
    relay.clock.pass(60);
    const gone = () => relay.call("GET", `/packages/${id}/status`, { token });
    expect((await gone()).status).toBe(404);
    await relay.sweep();
    expect(await relay.relay.context.packages.find(id)).toBeUndefined();
  });

  test("[S9] a late report is the only way out of expired", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    const { take, report } = importerCall(relay, importer.token, id);
    await take({ run_id: "a" });
    relay.clock.pass(2 * DAY);
    await relay.sweep();
    expect((await relay.status(token, id)).status).toBe("expired");
    expect((await report({ 1: { status: "imported" } })).status).toBe(200);
    expect((await relay.status(token, id)).status).toBe("imported");
    relay.clock.pass(6 * DAY);
    expect((await report({ 1: { status: "imported" } })).status).toBe(404);
  });
});

describe("long-poll", () => {
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

  test("[S8] answers as soon as the status changes", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    const id = await relay.send(token);
    const polls = ["wait=30", "wait=30&known=waiting", "wait=99999"].map((query) =>
      relay.call("GET", `/packages/${id}/status?${query}`, { token }),
    );
    await importerCall(relay, importer.token, id).take({ run_id: "a" });
    await importerCall(relay, importer.token, id).report({ 1: { status: "imported" } });
    for (const poll of polls) expect((await poll).json.status).toBe("imported");
  });

  test("[S8] ends on time even if the clock was set back meanwhile", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const id = await relay.send(token);
    const { notifier } = relay.relay.context;
    const listen = notifier.listen.bind(notifier);
    notifier.listen = (topic, listener) => {
      // The wait has started.
      setImmediate(() => relay.clock.pass(-3600));
      return listen(topic, listener);
    };
    const { json } = await relay.call("GET", `/packages/${id}/status?wait=0.05`, { token });
    expect(json.status).toBe("waiting");
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
