import { expect, onTestFinished, test } from "vitest";
import { lanFacts, lanJson, lanSwitchOf } from "../../../cli/commands/up/lan-switch.ts";
import { runPanel } from "../../addon/control/ask.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { at, HOME, OTHER, TestNetworks } from "../../relay/http/lan/lan-relay.ts";
import { RunningRelay } from "../../relay/running-relay.ts";

/** A relay and an importer as `up` starts them, with the switch between them. */
async function startBoth({ host = "127.0.0.1", folder = "" } = {}) {
  const networks = new TestNetworks();
  const relay = await RunningRelay.start({ SOUNDFERRY_HOST: host }, { networks });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const lanSwitch = await lanSwitchOf(relay.relay, { host });
  const panel = await runPanel(relay.url, { more: { lanSwitch }, ...(folder && { folder }) });
  return { relay, panel };
}

test("[LAN1] the panel's call switches the relay, and the state says what came of it", async () => {
  const { relay, panel } = await startBoth();
  const { importer, call } = panel;
  expect(importer.state.lan).toMatchObject({ isOn: false, keepsOn: false, addresses: [] });
  expect((await call("PUT", "/control/lan", { isOn: "yes", keepsOn: false })).status).toBe(400);
  expect((await call("PUT", "/control/lan", { isOn: true, keepsOn: false })).status).toBe(200);
  const addresses = [at(relay.url, HOME), at(relay.url, OTHER)];
  expect(importer.state.lan).toMatchObject({ isOn: true, keepsOn: false, addresses });
  expect(lanJson(importer.state.lan)).toEqual({ lan_addresses: addresses });
  expect(lanFacts(importer.state.lan)).toEqual([["In this network", addresses.join(", ")]]);
  await call("PUT", "/control/lan", { isOn: false, keepsOn: false });
  expect(importer.state.lan).toMatchObject({ isOn: false, addresses: [] });
  expect([lanJson(importer.state.lan), lanFacts(importer.state.lan)]).toEqual([{}, []]);
});

test("[LAN1] the next start switches it on only if it is kept on", async () => {
  const folder = await temporaryFolder();
  for (const keepsOn of [false, true, false]) {
    const { panel } = await startBoth({ folder });
    await panel.call("PUT", "/control/lan", { isOn: true, keepsOn });
    await panel.close();
    const next = await startBoth({ folder });
    expect(next.panel.importer.state.lan).toMatchObject({ isOn: keepsOn, keepsOn });
    await next.panel.close();
  }
});

test("[LAN1] where --host decides it can't be switched, and is there from the start", async () => {
  const { relay, panel } = await startBoth({ host: "0.0.0.0" });
  expect(panel.importer.state.lan?.addresses).toEqual([at(relay.url, HOME), at(relay.url, OTHER)]);
  const refused = await panel.call("PUT", "/control/lan", { isOn: false, keepsOn: true });
  expect([refused.status, refused.json?.["error"]]).toEqual([
    409,
    "The relay listens at 0.0.0.0, because --host says so.",
  ]);
  expect(panel.importer.state.lan).toMatchObject({ isOn: true, keepsOn: false });
});

test("[LAN1] an importer without a relay of its own has no switch", async () => {
  const { importer, call } = await runPanel(null);
  expect(importer.state.lan).toBeNull();
  expect((await call("PUT", "/control/lan", { isOn: true, keepsOn: true })).status).toBe(404);
});
