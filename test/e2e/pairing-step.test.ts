import { expect, onTestFinished, test } from "vitest";
import { connected } from "../addon/named-relays.ts";
import { until } from "../sim/until.ts";
import { RunningRelay } from "../relay/running-relay.ts";

const MINUTE = 60_000;

/** A real relay and a connected importer, both on clocks that the test drives. */
async function setUp() {
  const relay = await RunningRelay.start();
  onTestFinished(() => relay[Symbol.asyncDispose]());
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;
  const { importer, timers } = await connected(relay.url, { more: { now } });
  const pass = (ms: number): void => {
    shiftMs += ms;
    relay.clock.pass(ms / 1000);
    timers.advance(ms);
  };
  const claim = async (code: string, appName = "Looper") =>
    relay.call("POST", "/pair/claim", {
      body: { code, app_name: appName, app_id: appName },
    });
  return { importer, pass, claim };
}

test("[P2] a code pairs while the person is in another tab, for less than 3 minutes", async () => {
  const { importer, pass, claim } = await setUp();
  const { code } = await importer.codes.open({ isFresh: false });
  pass(MINUTE);
  importer.codes.see(false);
  pass(2.9 * MINUTE);
  expect((await claim(code)).status).toBe(200);
  // The importer noticed that nothing came for minutes, and connects again.
  await until(() => {
    pass(100);
    return importer.state.pairing.usedBy !== null;
  });
  const { pairing, apps } = importer.state;
  expect(pairing).toMatchObject({ code: null, usedBy: { name: "Looper" } });
  expect(apps.map(({ pairing_id }) => pairing_id)).toEqual([pairing.usedBy?.pairingId]);
});

test("[P2] the relay refuses a code 3 minutes after its step was last visible", async () => {
  const { importer, pass, claim } = await setUp();
  const { code } = await importer.codes.open({ isFresh: false });
  pass(3 * MINUTE);
  await until(() => importer.state.pairing.code === null);
  // The call to the relay is on its way.
  await importer.codes.hide();
  await importer.apps();
  expect((await claim(code)).json).toMatchObject({ code: "CODE_UNKNOWN" });
  pass(30 * MINUTE);
  expect(importer.state.pairing.code).toBeNull();
});

test("[P2] the relay refuses the code of a step that was closed, and of an importer that stopped", async () => {
  const { importer, claim } = await setUp();
  const first = await importer.codes.open({ isFresh: false });
  await importer.codes.hide();
  expect((await claim(first.code)).status).toBe(404);
  const second = await importer.codes.open({ isFresh: false });
  await importer.close();
  expect((await claim(second.code)).status).toBe(404);
});

test("[P2] a kept code lives for 10 minutes, whether or not someone sees it, and outlives its importer", async () => {
  const { importer, pass, claim } = await setUp();
  const { code } = await importer.pairingCode();
  await importer.codes.open({ isFresh: false });
  await importer.codes.hide();
  pass(9.9 * MINUTE);
  expect(importer.state.pairing.code?.code).toBe(code);
  await importer.close();
  expect((await claim(code)).status).toBe(200);
});

test("[P2] several apps pair one after another, each with a code of its own", async () => {
  const { importer, claim } = await setUp();
  for (const name of ["Looper", "Synth", "Drums"]) {
    const { code } = await importer.codes.open({ isFresh: false });
    expect(importer.state.pairing.usedBy).toBeNull();
    expect((await claim(code, name)).status).toBe(200);
    await until(() => importer.state.pairing.usedBy?.name === name);
  }
  expect(importer.state.apps.map(({ app_name }) => app_name).sort()).toEqual([
    "Drums",
    "Looper",
    "Synth",
  ]);
});
