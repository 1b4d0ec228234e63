import { expect, onTestFinished, test } from "vitest";
import { ControlClient } from "../../../addon/control/control-client.ts";
import { ManualTimers } from "../manual-timers.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { until } from "../../sim/until.ts";
import { type Asked, runPanel } from "./ask.ts";

const MINUTE = 60_000;
const PATH = "/control/pairing-code";

/** A running importer with a page's calls, a program's client, and a clock that the test drives. */
async function setUp() {
  const relay = await startStandIn();
  const timers = new ManualTimers();
  let nowMs = 0;
  const more = { timers, now: () => nowMs };
  const { importer, port, secret, call } = await runPanel(relay.url, { more });
  await until(() => importer.state.connection.status === "connected");
  const client = new ControlClient({ port, secret });
  onTestFinished(() => client.close());
  const page = (method: string, body?: Asked["body"]) => call(method, PATH, body);
  const pass = (ms: number): void => {
    nowMs += ms;
    timers.advance(ms);
  };
  const calls = (): readonly string[] =>
    relay.calls.filter(({ path }) => path === "/importer/pairing-code").map(({ method }) => method);
  return {
    importer,
    page,
    client,
    pass,
    calls,
    isShown: () => importer.state.pairing.code !== null,
  };
}

test("[P2] a page opens the step, says while it is visible, and closes it", async () => {
  const { page, pass, isShown, calls } = await setUp();
  expect((await page("POST")).json).toMatchObject({ code: "K7MQ2X", expires_in: 600 });
  pass(2 * MINUTE);
  expect(await page("PUT", { visible: true })).toMatchObject({ status: 200, json: {} });
  pass(2 * MINUTE);
  expect(await page("PUT", { visible: false })).toMatchObject({ status: 200 });
  pass(2 * MINUTE);
  expect([isShown(), (await page("POST")).status, calls()]).toEqual([true, 200, ["POST"]]);
  expect(await page("DELETE")).toMatchObject({ status: 200, json: {} });
  expect([isShown(), calls()]).toEqual([false, ["POST", "DELETE"]]);
  expect([(await page("PUT", { visible: true })).status, (await page("DELETE")).status]).toEqual([
    200, 200,
  ]);
  expect([isShown(), calls()]).toEqual([false, ["POST", "DELETE"]]);
});

test("[P2] a page can ask for another code", async () => {
  const { page, calls } = await setUp();
  await page("POST");
  await page("POST", { fresh: true });
  expect(calls()).toEqual(["POST", "POST"]);
});

test("[P2] a program's code is kept, also when a page shows and closes it", async () => {
  const { page, client, pass, isShown, calls } = await setUp();
  await client.pairingCode();
  pass(4 * MINUTE);
  await page("POST");
  await page("DELETE");
  pass(4 * MINUTE);
  expect([isShown(), calls()]).toEqual([true, ["POST"]]);
});

test.each([undefined, {}, { visible: "yes" }, []])("[P2] refuses a malformed %j", async (body) => {
  const { page } = await setUp();
  expect(await page("PUT", body)).toMatchObject({ status: 400 });
});
