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
