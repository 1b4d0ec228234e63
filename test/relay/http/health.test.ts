import { expect, test } from "vitest";
import { StoreBusyError, StoreFullError, StoreTroubleError } from "../../../relay/domain/ports.ts";
import type { HealthTopic } from "../../../relay/domain/upkeep/health.ts";
import { FolderInUseError } from "../../../relay/storage/disk/folder-lock.ts";
import { RunningRelay } from "../running-relay.ts";
import { soon } from "../../sim/soon.ts";

test("[K4] the relay is healthy as soon as it serves, and ready when its stores respond", async () => {
  await using relay = await RunningRelay.start();
  expect((await relay.call("GET", "/healthz")).status).toBe(200);
  expect((await relay.call("GET", "/readyz")).status).toBe(200);
  relay.relay.context.packages.find = () => Promise.reject(new Error("gone"));
  const { status, json } = await relay.call("GET", "/readyz");
  expect([status, json.code]).toEqual([503, "NOT_READY"]);
  expect((await relay.call("GET", "/healthz")).status).toBe(200);
});

test("[K10] /readyz tells the database, the store of the sounds, a full disk, and the clock apart", async () => {
  await using relay = await RunningRelay.start();
  const { context } = relay.relay;
  const ready = async () => {
    const { status, json } = await relay.call("GET", "/readyz");
    return { status, reason: json.reason, part: json.part, degraded: json.degraded };
  };
  const { health, packages, sounds } = context;
  // The relay's first sweep may end meanwhile, and find all well.
  const degradedBy = async (topic: HealthTopic) => {
    health.note(topic, "Something is wrong.");
    return (await ready()).degraded;
  };
  await soon(() => degradedBy("clock")).toBe("clock");
  await soon(() => degradedBy("full")).toBe("full");

  const [find, room] = [packages.find.bind(packages), sounds.room.bind(sounds)];
  sounds.room = () => Promise.reject(new StoreTroubleError("The disk fails.", { code: "EIO" }));
  expect(await ready()).toEqual({ status: 503, reason: "failing", part: "store" });
  packages.find = () => Promise.reject(new StoreBusyError("It is locked."));
  expect(await ready()).toEqual({ status: 503, reason: "locked", part: "database" });
  sounds.room = room;
  packages.find = () => Promise.reject(new StoreFullError("It is full."));
  expect(await ready()).toEqual({ status: 503, reason: "full", part: "database" });
  packages.find = find;
  expect(await ready()).toMatchObject({ status: 200 });
  await relay.relay.drain();
  expect(await ready()).toEqual({ status: 503, reason: "draining" });
});

test("[L13] /readyz and a metric say when only newcomers get more, and the sentence is true", async () => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_REGISTRATIONS_PER_DAY: "4",
    SOUNDFERRY_REGISTRATIONS_PER_ADDRESS_PER_DAY: "2",
    SOUNDFERRY_TRUST_PROXY: "127.0.0.1",
    SOUNDFERRY_METRICS_PORT: "0",
  });
  const register = async (from: string) => {
    const headers = { "x-forwarded-for": from };
    const answer = await relay.call("POST", "/importer/register", { body: {}, headers });
    return [answer.status, answer.json.error];
  };
  const sentences = [];
  for (const last of [1, 1, 1, 2]) sentences.push(await register(`203.0.113.${last}`));
  const again = "Try again in 24 h.";
  expect(sentences.map(([status, error]) => (status === 201 ? 201 : error))).toEqual([
    201,
    201,
    `Your network registered many computers today. ${again}`,
    `Many computers were registered today. ${again}`,
  ]);
  expect(await register("198.51.100.1")).toEqual([201, undefined]);
  const { json } = await relay.call("GET", "/readyz");
  expect(json).toMatchObject({ status: "ready", degraded: "newcomers" });
  expect(json.notices.join(" ")).toContain("registrations");
  const metrics = await (await fetch(relay.metricsUrl ?? "")).text();
  expect(metrics).toContain('soundferry_notice{topic="newcomers"} 1');
});

test("[K4] metrics have their own listener and contain no secret", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
  const { token } = await relay.paired();
  await relay.send(token);
  expect((await relay.call("GET", "/metrics")).status).toBe(404);
  const metrics = await (await fetch(relay.metricsUrl ?? "")).text();
  expect(metrics).toContain('path="/packages/:id/commit",status="200"');
  expect(metrics).not.toContain(token);
});

test("[K4] an untrusted proxy is warned of once", async () => {
  await using relay = await RunningRelay.start();
  for (let round = 0; round < 3; round += 1) {
    await relay.call("GET", "/healthz", { headers: { "x-forwarded-for": "203.0.113.9" } });
  }
  const warnings = relay.logLines.filter((line) => line.includes("SOUNDFERRY_TRUST_PROXY"));
  expect(warnings).toHaveLength(1);
});

test("[L3] a second relay on the same folder is refused", async () => {
  await using relay = await RunningRelay.start();
  await expect(RunningRelay.start({ SOUNDFERRY_DATA: relay.folder })).rejects.toThrow(
    FolderInUseError,
  );
});
