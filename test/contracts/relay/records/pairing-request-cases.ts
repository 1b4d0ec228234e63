import assert from "node:assert/strict";
import type { PairingRecords } from "../../../../relay/domain/ports.ts";
import { claim, putCode } from "./code-cases.ts";
import { one, type OpenedRecords, type RecordsCase, two } from "./records-case.ts";
import { MINUTE, register, T0 } from "./sample-records.ts";

/** The promises of `PairingRecords` about claims that wait for a yes (rule P12). */
export const PAIRING_REQUEST_CASES: readonly RecordsCase[] = [
  asking("one claim of a code makes the request, and its own app waits for it", async (records) => {
    const { pairings } = records;
    assert.deepEqual(await ask(pairings, "first"), outcome("asked"));
    const asked = {
      requestId: "first",
      deviceId: "device-1",
      appId: "app-1",
      appName: "Looper",
      address: "192.0.2.1",
      network: "192.0.2.0/24",
      expiresAt: T0 + MINUTE,
      state: "asked",
      allowedAt: null,
    };
    assert.deepEqual(await pairings.findRequest("device-1", T0), asked);
    assert.deepEqual(await ask(pairings, "again"), outcome("waiting"));
    assert.deepEqual(await ask(pairings, "other", { appId: "app-2" }), outcome("other-app"));
    assert.deepEqual(await pairings.findRequest("device-1", T0 + MINUTE - 1), asked);
    assert.equal(await ask(pairings, "wrong", { codeHash: "wrong" }), undefined);
    assert.ok(await claim(pairings, "code", "token"), "A request has used the code up.");
  }),

  asking("of many claims at once exactly one makes the request", async ({ pairings }) => {
    const asks = Array.from({ length: 10 }, (_, index) => ask(pairings, `request ${index}`));
    const outcomes = (await Promise.all(asks)).map((asked) => asked?.outcome);
    assert.equal(outcomes.filter((one) => one === "asked").length, 1);
    assert.equal(outcomes.filter((one) => one === "waiting").length, 9);
  }),

  asking(
    "a yes counts two minutes for this app at this address, then it is asked again",
    async ({ pairings }) => {
      await pairings.setCode("device-1", {
        codeHash: "long",
        expiresAt: T0 + 5 * MINUTE,
        now: T0,
      });
      const long = { codeHash: "long" };
      await ask(pairings, "first", long);
      const allow = { deviceId: "device-1", requestId: "first", isAllowed: true, now: T0 };
      assert.equal(await pairings.answerRequest(allow), true);
      assert.equal(await pairings.answerRequest(allow), false, "A request was answered twice.");
      const allowed = await pairings.findRequest("device-1", T0);
      assert.deepEqual([allowed?.state, allowed?.allowedAt], ["allowed", T0]);
      assert.deepEqual(await ask(pairings, "other", { ...long, appId: "2" }), outcome("other-app"));
      const late = { ...long, now: T0 + 2 * MINUTE };
      assert.deepEqual(
        await ask(pairings, "next", { ...late, now: late.now - 1 }),
        outcome("allowed"),
      );
      assert.deepEqual(await ask(pairings, "again", late), outcome("asked"));
      const again = await pairings.findRequest("device-1", late.now);
      assert.deepEqual(
        [again?.requestId, again?.state, again?.allowedAt],
        ["again", "asked", null],
      );
    },
  ),

  asking("a second address ends the code, and the request says so", async (records) => {
    const { pairings } = records;
    await ask(pairings, "first");
    const elsewhere = { address: "198.51.100.1" };
    assert.deepEqual(await ask(pairings, "second", elsewhere), outcome("disputed"));
    assert.equal(await ask(pairings, "third"), undefined, "A disputed code is still valid.");
    assert.equal(await claim(pairings, "code", "token"), undefined);
    const disputed = await pairings.findRequest("device-1", T0);
    assert.deepEqual([disputed?.requestId, disputed?.state], ["first", "disputed"]);
    assert.equal(
      await pairings.answerRequest(yes("first")),
      false,
      "A yes came after the dispute.",
    );
    await putCode(pairings, "device-1", "next code");
    assert.equal(await pairings.findRequest("device-1", T0), undefined);
  }),

  asking("a second address ends the code also after the yes", async ({ pairings }) => {
    await ask(pairings, "first");
    assert.equal(await pairings.answerRequest(yes("first")), true);
    const elsewhere = { address: "198.51.100.1" };
    assert.deepEqual(await ask(pairings, "second", elsewhere), outcome("disputed"));
    assert.equal(await claim(pairings, "code", "token"), undefined);
  }),

  asking("a no ends the code", async ({ pairings }) => {
    await ask(pairings, "first");
    assert.equal(await pairings.answerRequest({ ...yes("wrong"), isAllowed: false }), false);
    assert.equal(await pairings.answerRequest({ ...yes("first"), isAllowed: false }), true);
    assert.equal(await pairings.findRequest("device-1", T0), undefined);
    assert.equal(await ask(pairings, "again"), undefined);
    assert.equal(await claim(pairings, "code", "token"), undefined);
  }),

  asking("of a yes and a no at once exactly one counts", async ({ pairings }) => {
    await ask(pairings, "first");
    const [isAllowed, isDenied] = await Promise.all([
      pairings.answerRequest(yes("first")),
      pairings.answerRequest({ ...yes("first"), isAllowed: false }),
    ]);
    assert.notEqual(isAllowed, isDenied);
    assert.equal((await claim(pairings, "code", "token")) !== undefined, isAllowed);
  }),

  asking("only the device itself answers, and only in time", async ({ pairings }) => {
    await register({ pairings }, "device-2");
    await ask(pairings, "first");
    assert.equal(await pairings.answerRequest({ ...yes("first"), deviceId: "device-2" }), false);
    assert.equal(await pairings.findRequest("device-2", T0), undefined);
    const over = { ...yes("first"), now: T0 + MINUTE };
    assert.equal(await pairings.answerRequest(over), false);
    assert.equal(await pairings.findRequest("device-1", T0 + MINUTE), undefined);
    assert.equal(await pairings.answerRequest({ ...over, now: T0 + MINUTE - 1 }), true);
  }),

  ...endCases(),

  two("[P12][J7] another process sees a request and its answer", async (first, second) => {
    const [here, there] = [first.pairings, second.pairings];
    await register(first, "device-1");
    await putCode(first.pairings, "device-1", "code");
    await ask(here, "first");
    assert.deepEqual(await ask(there, "second"), outcome("waiting"));
    assert.equal(await there.answerRequest(yes("first")), true);
    assert.deepEqual(await ask(here, "third"), outcome("allowed"));
  }),
];

/** Makes the cases about the end of a request. */
function endCases(): RecordsCase[] {
  const ends: Record<string, (records: OpenedRecords) => Promise<unknown>> = {
    "is claimed": ({ pairings }) => claim(pairings, "code", "token"),
    "is replaced": ({ pairings }) => putCode(pairings, "device-1", "new"),
    "is removed": ({ pairings }) => pairings.setCode("device-1", null),
    "has expired and is forgotten": ({ packages }) => packages.forgetOld(T0 + MINUTE),
    "goes with its device": ({ pairings }) => pairings.removeDevice("device-1"),
  };
  return Object.entries(ends).map(([what, end]) =>
    asking(`a request ends when its code ${what}`, async (records) => {
      await ask(records.pairings, "first");
      await records.packages.forgetOld(T0 + MINUTE - 1);
      assert.ok(await records.pairings.findRequest("device-1", T0));
      await end(records);
      assert.equal(await records.pairings.findRequest("device-1", T0), undefined);
      assert.equal(await records.pairings.answerRequest(yes("first")), false);
    }),
  );
}

/** Makes a case on a device with a code that is valid for a minute. */
function asking(title: string, run: (records: OpenedRecords) => Promise<void>): RecordsCase {
  return one(`[P12] ${title}`, async (records) => {
    await register(records, "device-1");
    await putCode(records.pairings, "device-1", "code");
    await run(records);
  });
}

function ask(
  pairings: PairingRecords,
  requestId: string,
  more: { codeHash?: string; appId?: string; address?: string; now?: number } = {},
) {
  const { now = T0 } = more;
  return pairings.askToPair({
    requestId,
    codeHash: "code",
    appId: "app-1",
    appName: "Looper",
    address: "192.0.2.1",
    network: "192.0.2.0/24",
    now,
    latestEnd: now + 10 * MINUTE,
    ...more,
  });
}

function yes(requestId: string) {
  return { deviceId: "device-1", requestId, isAllowed: true, now: T0 };
}

function outcome(what: string) {
  return { deviceId: "device-1", outcome: what };
}
