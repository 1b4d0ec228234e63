import { expect, test } from "vitest";
import {
  findControlSurface,
  lookAtControlSurface,
} from "../../../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { livesSentence } from "../../../../../addon/hosts/live/remote-script/live-version.ts";
import { layoutOf, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { StandInSurface } from "./stand-in-surface.ts";
import { surfaceStudio } from "./surface-studio.ts";

const KIT = layoutOf([ONE_SHOT]);
const TOO_OLD =
  "This is Live 12.0.1. Soundferry places sounds in Live 11.3.25 or later 11.3, or in 12.0.5 or later. " +
  "The update is free.";

test("[H12] a Live 11 that tells no edition is a host, and is named by its version", async () => {
  const { host, request, surface } = await surfaceStudio({ live: "11.3.25", edition: null });
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 11.3.25");
  await host.place(await request(KIT));
  expect(surface.set.look().tracks).toEqual(["Kick (Looper)"]);
});

test("[H12] a Live that lacks the call for clips isn't ready, and the sentence names it", async () => {
  const { host, request, surface } = await surfaceStudio({ live: "12.0.1", lacksClips: true });
  expect(await host.isReady()).toBe(false);
  expect(host.whenNotReady).toBe(TOO_OLD);
  expect(host.describe()).toBe("Live 12.0.1 Standard");
  const placing = host.place(await request(KIT));
  await expect(placing).rejects.toMatchObject({ reason: "unsupported", message: TOO_OLD });
  expect(surface.requests).toEqual([]);
  await surface.quit();
  expect(await host.isReady()).toBe(false);
  expect(host.whenNotReady).toMatch(/^Live doesn't answer\./);
});

test("[H12] a control surface of another release is named instead of a Live that doesn't answer", async () => {
  const { host } = await surfaceStudio({ version: "0.0.1" });
  expect(await host.isReady()).toBe(false);
  expect(host.whenNotReady).toMatch(/^Live runs version 0\.0\.1 of the Soundferry control surface/);
});

test("[H12] of two Lives the one that started last is used, and label and sentence name it", async () => {
  const { host, folder, surface, request } = await surfaceStudio({ live: "12.1.5", started: 1000 });
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 12.1.5 Standard");
  const options = { live: "12.3", edition: "Suite", started: 2000 };
  const second = await StandInSurface.start(folder, options);
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 12.3 Suite (1 of 2 running)");
  const look = await lookAtControlSurface([folder]);
  if (look.kind !== "answers") return expect.unreachable();
  expect(livesSentence(look)).toBe("2 Lives run; Soundferry uses Live 12.3 Suite, started last.");
  await host.place(await request(KIT));
  expect(second.set.look().tracks).toEqual(["Kick (Looper)"]);
  expect(surface.set.look().tracks).toEqual([]);
  await second.quit();
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 12.1.5 Standard");
});

test("[H12] of two Lives one that lacks the call isn't used, even if it started last", async () => {
  const { host, folder } = await surfaceStudio({ live: "12.3", started: 1000 });
  await StandInSurface.start(folder, { live: "12.0.1", lacksClips: true, started: 2000 });
  expect(await host.isReady()).toBe(true);
  expect(host.describe()).toBe("Live 12.3 Standard (1 of 2 running)");
});

test("[H12] a lost connection is made again to the same Live, not to another that runs", async () => {
  const { folder, surface } = await surfaceStudio({ started: 1000 });
  const second = await StandInSurface.start(folder, { started: 2000 });
  const options = { folders: [folder], soundFolders: [], patienceMs: 900 };
  const first = await findControlSurface(options);
  expect(second.connections).toBe(1);
  await second.quit();
  const [other] = [await findControlSurface(options), first.close()];
  await StandInSurface.start(folder, { started: 3000 });
  const again = await findControlSurface({ ...options, preferred: other.secret });
  expect(again.secret).toBe(other.secret);
  expect(surface.connections).toBe(2);
  for (const client of [other, again]) client.close();
});
