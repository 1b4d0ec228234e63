import { expect, test } from "vitest";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { countStoreCalls } from "../count-store-calls.ts";
import { RunningRelay } from "../running-relay.ts";
import { importerCall } from "./importer-call.ts";
import { PartialFile } from "./partial-calls.ts";

/** A relay whose clock stands still, so that a token is looked up once, and the calls of its records for a call. */
async function open() {
  const relay = await RunningRelay.start();
  // The sweep of the start is over by then.
  await relay.sweep();
  const { importer, token } = await relay.paired();
  relay.clock.hold();
  await relay.call("GET", "/app/me", { token });
  await relay.call("GET", "/importer/me", importer);
  const taken = countStoreCalls(relay.relay.context);
  return {
    relay,
    importer,
    token,
    during: async (call: Promise<{ readonly status: number }>) => {
      taken();
      expect((await call).status).toBeLessThan(300);
      return taken();
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

test("a package's calls ask the records for nothing twice, except right before a download's bytes", async () => {
  await using one = await open();
  const { relay, importer, token, during } = one;
  const body = manifestOf(["kick.wav", "snare.wav"]);
  const announce = relay.call("POST", "/packages", { token, body });
  expect(await during(announce)).toEqual(["insert", "readHour"]);
  const { package_id: id } = await relay.announce(token, body);
  const put = (file: string) =>
    relay.call("PUT", `/packages/${id}/files/${file}`, { token, body: smallWav() });
  expect(await during(put("kick.wav"))).toEqual(["find", "addPending", "addFile"]);
  await put("snare.wav");
  const commit = relay.call("POST", `/packages/${id}/commit`, { token });
  expect(await during(commit)).toEqual(["find", "update"]);
  const list = relay.call("GET", "/importer/packages?after=", importer);
  expect(await during(list)).toEqual(["list", "findManifests"]);
  const { take, report } = importerCall(relay, importer.token, id);
  expect(await during(take())).toEqual(["find", "update", "listPairings"]);
  const results = { 1: { status: "imported" }, 2: { status: "imported" } };
  expect(await during(report(results))).toEqual(["find", "update", "changeDevice", "listPairings"]);
  expect(await during(relay.call("GET", `/packages/${id}/status`, { token }))).toEqual(["find"]);
  expect(await during(relay.call("GET", "/importer/apps", importer))).toEqual(["listPairings"]);
  // The day is known by then, and needs no second note.
  relay.relay.context.known.forget();
  await relay.call("GET", "/importer/me", importer);
  const other = { ...results, 2: { status: "failed" } };
  expect(await during(report(other))).toEqual(["find", "update", "listPairings"]);
  // Last, because a download that has just ended may look once more.
  const download = relay.call("GET", `/importer/packages/${id}/files/kick.wav`, importer);
  expect(await during(download)).toEqual(["find", "find"]);
});

test("a part of a file looks for its package once before its turn, and once in it", async () => {
  await using one = await open();
  const file = await PartialFile.announce(one.relay, undefined, one.token);
  expect(await one.during(file.patch(0))).toEqual([
    "find",
    "find",
    "findPartials",
    "addPending",
    "beginPartial",
    "addFile",
  ]);
});
