import { openActions } from "../../../../relay/operating/administer.ts";
import { expect } from "vitest";
import { WAITING_CLAIMS_PER_ADDRESS } from "../../../../core/quotas/budgets.ts";
import { World } from "./world.ts";
import { soon } from "../../../sim/soon.ts";

const KICK = { file: "kick.wav" };

/** Produces every answer specific to the importer's and the relay's own calls. */
export async function produceImporterCases(world: World): Promise<void> {
  for (const id of [
    "hello",
    "readManifestSchema",
    "readContract",
    "readReference",
    "readGuideForPrograms",
  ]) {
    await world.call(id);
  }
  for (const id of [
    "isServing",
    "isReady",
    "readComputer",
    "listApps",
    "makePairingCode",
    "endPairingCode",
    "readPairingRequest",
  ]) {
    await world.call(id);
  }
  await asking(world);
  await registering(world);
  await importing(world);
  await world.call("openSocket");
  const { json } = await world.relay.call("GET", "/importer/apps", {
    token: world.importer.token,
  });
  await world.call("unpairApp", { parts: { pairing_id: "pair_none" } });
  await world.call("unpairApp", { parts: { pairing_id: json.apps[0].pairing_id } });
}

/** A relay that asks for each pairing: both answers, and what is no answer. */
async function asking({ watch }: World): Promise<void> {
  await using asking = await World.start({}, watch);
  const { relay, importer } = asking;
  const { policy } = relay.relay.context;
  Object.assign(policy, { asksForEachPairing: true, consentWaitMs: 60_000 });
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const claim = { code: json.code, app_name: "Looper", app_id: "asking" };
  const claiming = asking.call("claimPairing", { body: claim });
  const requestId = async (): Promise<unknown> =>
    JSON.parse((await asking.call("readPairingRequest")).text).request?.request_id;
  await soon(requestId).toBeDefined();
  const reply = { request_id: await requestId(), answer: "allow" };
  await asking.call("answerPairingRequest", { body: { ...reply, answer: "perhaps" } });
  await asking.call("answerPairingRequest", { body: reply });
  await asking.call("answerPairingRequest", { body: reply });
  expect((await claiming).status).toBe(200);

  const waiting = Array.from({ length: WAITING_CLAIMS_PER_ADDRESS }, () =>
    asking.call("claimPairing", { body: claim }),
  );
  const { admission } = relay.relay.context;
  await soon(() => admission.budget("claims").used).toBe(WAITING_CLAIMS_PER_ADDRESS);
  await asking.call("claimPairing", { body: claim });
  await relay.stop();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([503]));
}

async function registering(world: World): Promise<void> {
  const old = { "x-soundferry-importer": "0.0.1; api=0" };
  await world.call("registerImporter");
  await world.call("registerImporter", { body: { device_name: 5 } });
  await world.call("registerImporter", { headers: old });
  await world.call("renameComputer", { body: { device_name: "Attic" } });
  await world.call("renameComputer", { body: { device_name: null } });
  await using strict = await World.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2" }, world.watch);
  while ((await strict.call("registerImporter")).status !== 429);
  const key = "a key of some length, long enough";
  await using closed = await World.start({}, world.watch);
  Object.assign(closed.relay.relay.context.policy, { registersByKey: true, registrationKey: key });
  await closed.call("registerImporter");
  await closed.call("registerImporter", { headers: { "x-soundferry-registration-key": key } });
  await using admin = await openActions({ dataFolder: closed.relay.folder }, { who: "anna" });
  for (const [name, more] of [
    ["ended", { endsAt: 1, maxUses: null }],
    ["used up", { endsAt: null, maxUses: 0 }],
    ["removed", { endsAt: null, maxUses: null }],
  ] as const) {
    const added = await admin.addKey({ name, ...more });
    if (name === "removed") await admin.removeKey(name);
    const headers = { "x-soundferry-registration-key": added ?? "" };
    await closed.call("registerImporter", { headers });
  }
  await closed.call("removeComputer");
}

async function importing(world: World): Promise<void> {
  const uploading = { id: await world.announced(), ...KICK };
  const parts = { id: await world.sent(), ...KICK };
  const nowhere = { id: "pkg_none", ...KICK };
  const { token } = world.importer;
  for (const id of ["takePackage", "readPackage", "downloadFile"]) {
    await world.call(id, { parts: nowhere });
    await world.call(id, { parts: uploading });
    expect((await world.call(id, { parts })).status).toBe(200);
  }
  await world.call("takePackage", { parts, body: { run_id: "" } });
  await world.call("takePackage", { parts, body: { run_id: "another" } });
  await world.call("downloadFile", { parts: { ...parts, file: "hat.wav" } });
  for (const range of ["bytes=0-9", "bytes=9999-"]) {
    await world.call("downloadFile", { parts, headers: { range } });
  }
  const report = (body: object, where: Record<string, string> = parts) =>
    world.call("reportResults", { parts: where, body });
  await report({ results: {} }, nowhere);
  await report({ results: {} }, uploading);
  await report({ results: 5 });
  await report({ results: { hat: { status: "imported" } } });
  await world.call("listPackages", { token });
  await report({ results: { 1: fullResult() } });
  await world.call("listPackages", { token });
  await world.call("listPackages", { token, query: "?after=nonsense" });
  await world.call("readPackage", { parts });
  await world.call("readStatus", { parts });
  await using later = await World.start({}, world.watch);
  const ended = { id: await later.sent(), ...KICK };
  later.relay.clock.pass(86_400);
  for (const id of ["takePackage", "readPackage", "downloadFile"])
    await later.call(id, { parts: ended });
}

function fullResult(): object {
  return {
    status: "imported",
    track: "Kick (Looper)",
    file: "Test/kick.wav",
    notes: ["A note."],
    differences: [{ setting: "gain_db", asked: 3, got: null }],
    error: "None.",
    unheard: "of",
  };
}
