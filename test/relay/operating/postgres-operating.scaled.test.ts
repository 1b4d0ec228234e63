import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openActions, openView } from "../../../relay/operating/open-operated.ts";
import { checkRelay } from "../../../relay/operating/on-stores.ts";
import { smallWav } from "../../wav-bytes.ts";
import { emptyTarget, relayToMove } from "./moving-relay.ts";

test("[AD1][SC21] an operator sees and changes the same in PostgreSQL", async () => {
  const moved = await relayToMove();
  const { move, settings, target } = await emptyTarget();
  const old = await openView({ dataFolder: moved.folder });
  onTestFinished(() => old[Symbol.asyncDispose]());
  const page = { limit: 50 };
  await move(moved.folder);
  const view = await openView(settings);
  onTestFinished(() => view[Symbol.asyncDispose]());
  expect(await view.listDevices(page)).toEqual(await old.listDevices(page));
  expect(await view.listApps(page)).toEqual(await old.listApps(page));
  expect(await view.listPackages(page)).toEqual(await old.listPackages(page));
  expect(await view.readStats()).toEqual({ ...(await old.readStats()), disk_free_bytes: null });

  const actions = await openActions(settings, { who: "anna" });
  onTestFinished(() => actions[Symbol.asyncDispose]());
  const { deviceId } = moved.importer;
  const before = await old.exportDevice(deviceId, 0);
  expect((await view.exportDevice(deviceId, 0))?.sounds).toEqual(before?.sounds);
  expect(await actions.block({ subject: "192.0.2.1", kind: "address" }, true)).toBe(true);
  expect(await actions.block({ subject: "192.0.2.1", kind: "address" }, true)).toBe(false);
  expect(await actions.turn("claims", true, "Later.")).toBe(true);
  const sum = createHash("sha256").update(smallWav()).digest("hex");
  expect(await actions.deny(sum)).toMatchObject({ isNew: true, waiting: 0 });
  expect(await actions.allow(sum)).toBe(true);
  expect(await actions.purge(moved.waiting)).toMatchObject({ waiting: 0 });
  expect(await actions.revoke(deviceId)).toBeDefined();
  expect(await actions.erase(deviceId)).toMatchObject({ waiting: 0 });
  const { items } = await view.listOperations(page);
  expect(items.map(({ action }) => action)).toEqual([
    "erase",
    "revoke",
    "purge",
    "allow",
    "deny",
    "switch off",
    "block",
  ]);
  expect(await checkRelay(settings, {})).toMatchObject({ lost: [], unknown: [], doomedCount: 0 });
  const [planted] = ["pkg_foreign/snd_1"];
  const writer = await target.sounds.create(planted ?? "", {
    bytes: smallWav().length,
    sha256: sum,
  });
  await writer.write(smallWav());
  await writer.finish();
  expect((await checkRelay(settings, {})).unknown.map(({ key }) => key)).toEqual([planted]);
});
