import { expect, test } from "vitest";
import { unpairUnseen } from "../../../../relay/domain/pairing/unpair.ts";
import type { PairingRecord } from "../../../../relay/domain/ports.ts";
import { RunningRelay } from "../../running-relay.ts";
import { soon } from "../../../sim/soon.ts";
import { openUseCases, pair, register } from "../use-cases.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const IDLE = { tokenIdleMs: 90 * DAY };

test("[SEC6] an app that nobody used for so long is unpaired, and others are not", async () => {
  await using cases = await openUseCases(IDLE);
  const { context, clock } = cases;
  const { deviceId } = await register(cases);
  const unused = await pair(cases, deviceId, "unused");
  const used = await pair(cases, deviceId, "used");
  const ended: string[] = [];
  const look = () => unpairUnseen(context, ({ appId }: PairingRecord) => ended.push(appId));

  clock.time += 90 * DAY;
  await context.known.app(used);
  await look();
  // Another relay may note an hour later that it was used.
  clock.time += HOUR;
  await look();
  expect(ended).toEqual([]);
  await expect(context.known.app(unused)).resolves.toMatchObject({ appId: "unused" });

  const again = await pair(cases, deviceId, "unused");
  clock.time += 90 * DAY + HOUR + 1;
  await context.known.app(again);
  cases.notified.length = 0;
  await look();
  expect(ended).toEqual(["used"]);
  expect(cases.notified).toContain(`device:${deviceId} apps.changed`);
  await expect(context.known.app(used)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
  for (const token of [unused, again]) {
    await expect(context.known.app(token)).resolves.toMatchObject({ appId: "unused" });
  }
});

test("[SEC6] any number of them ends in one look, and one that is used meanwhile doesn't", async () => {
  await using cases = await openUseCases(IDLE);
  const { context, clock } = cases;
  const { deviceId } = await register(cases);
  for (let at = 0; at < 150; at += 1) await pair(cases, deviceId, `app-${at}`);
  const kept = await pair(cases, deviceId, "kept");
  clock.time += 100 * DAY;
  const { pairings } = context;
  const listUnseen = pairings.listUnseen.bind(pairings);
  const all: PairingRecord[] = [];
  await unpairUnseen(
    {
      ...context,
      pairings: Object.assign(Object.create(pairings), {
        listUnseen: async (since: number, limit: number) => {
          const listed = await listUnseen(since, limit);
          await context.known.app(kept);
          const seen = context.known.seen();
          await pairings.noteSeen(seen);
          return listed;
        },
      }),
    },
    (ended) => all.push(ended),
  );
  expect(all).toHaveLength(150);
  expect((await pairings.listPairings(deviceId)).map(({ appId }) => appId)).toEqual(["kept"]);
});

test("[SEC6] nothing ends by a clock that has jumped, before it is proven", async () => {
  await using cases = await openUseCases(IDLE);
  const { context } = cases;
  const { deviceId } = await register(cases);
  const token = await pair(cases, deviceId);
  const { clock } = context;
  const confirmed = clock.confirmedNow();
  const jumped = { now: () => clock.now() + 365 * DAY, confirmedNow: () => confirmed };
  await unpairUnseen({ ...context, clock: jumped }, () => expect.unreachable());
  await expect(context.known.app(token)).resolves.toBeDefined();
});

test("[SEC6] by default no app is unpaired, however long it was away", async () => {
  await using cases = await openUseCases();
  const { deviceId } = await register(cases);
  const token = await pair(cases, deviceId);
  cases.clock.time += 3650 * DAY;
  await unpairUnseen(cases.context, () => expect.unreachable());
  await expect(cases.context.known.app(token)).resolves.toBeDefined();
});

test("[SEC6] a relay with the setting logs it, and the app gets 401", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const { token: other } = await relay.paired();
  await relay.stop();
  const settings = { SOUNDFERRY_DATA: relay.folder, SOUNDFERRY_TOKEN_IDLE_DAYS: "30" };
  const clock = { now: () => Date.now() + 31 * DAY, confirmedNow: () => Date.now() + 31 * DAY };
  await using later = await RunningRelay.start(settings, { ports: { clock } });
  await soon(() => later.logLines.filter((line) => line.includes("is unpaired"))).toHaveLength(2);
  expect(later.logLines.join("")).toMatch(/"device":"dev_[^"]+","app":"[^"]+"/);
  for (const ended of [token, other]) {
    expect((await later.call("GET", "/app/me", { token: ended })).status).toBe(401);
  }
});
