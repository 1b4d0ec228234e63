import assert from "node:assert/strict";
import type { PairingRecords, PairingRequests } from "../../../../relay/domain/ports.ts";
import { claim, putCode } from "./code-cases.ts";
import { one, type OpenedRecords, type RecordsCase, two } from "./records-case.ts";
import { MINUTE, register, T0 } from "./sample-records.ts";

/** The promises of `PairingRecords.requests`, if a store has it (rule P12). */
export const PAIRING_REQUEST_CASES: readonly RecordsCase[] = [
  asking("one claim of a code makes the request, and its own app waits for it", async (records) => {
    const { pairings, requests } = records;
    assert.deepEqual(await ask(requests, "first"), outcome("asked"));
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
    assert.deepEqual(await requests.find("device-1", T0), asked);
    assert.deepEqual(await ask(requests, "again"), outcome("waiting"));
    assert.deepEqual(await ask(requests, "other", { appId: "app-2" }), outcome("other-app"));
    assert.deepEqual(await requests.find("device-1", T0 + MINUTE - 1), asked);
    assert.equal(await ask(requests, "wrong", { codeHash: "wrong" }), undefined);
    assert.ok(await claim(pairings, "code", "token"), "A request has used the code up.");
  }),

  asking("of many claims at once exactly one makes the request", async ({ requests }) => {
    const asks = Array.from({ length: 10 }, (_, index) => ask(requests, `request ${index}`));
    const outcomes = (await Promise.all(asks)).map((asked) => asked?.outcome);
    assert.equal(outcomes.filter((one) => one === "asked").length, 1);
    assert.equal(outcomes.filter((one) => one === "waiting").length, 9);
  }),

  asking(
    "a yes counts two minutes for this app at this address, then it is asked again",
    async ({ requests, pairings }) => {
      await pairings.putCode({
        deviceId: "device-1",
        codeHash: "long",
        expiresAt: T0 + 5 * MINUTE,
        now: T0,
      });
      const long = { codeHash: "long" };
      await ask(requests, "first", long);
      const allow = { deviceId: "device-1", requestId: "first", isAllowed: true, now: T0 };
      assert.equal(await requests.answer(allow), true);
      assert.equal(await requests.answer(allow), false, "A request was answered twice.");
      const allowed = await requests.find("device-1", T0);
      assert.deepEqual([allowed?.state, allowed?.allowedAt], ["allowed", T0]);
      assert.deepEqual(await ask(requests, "other", { ...long, appId: "2" }), outcome("other-app"));
      const late = { ...long, now: T0 + 2 * MINUTE };
      assert.deepEqual(
        await ask(requests, "next", { ...late, now: late.now - 1 }),
        outcome("allowed"),
      );
      assert.deepEqual(await ask(requests, "again", late), outcome("asked"));
      const again = await requests.find("device-1", late.now);
      assert.deepEqual(
        [again?.requestId, again?.state, again?.allowedAt],
        ["again", "asked", null],
      );
    },
  ),

  asking("a second address ends the code, and the request says so", async (records) => {
    const { requests, pairings } = records;
    await ask(requests, "first");
    const elsewhere = { address: "198.51.100.1" };
    assert.deepEqual(await ask(requests, "second", elsewhere), outcome("disputed"));
    assert.equal(await ask(requests, "third"), undefined, "A disputed code is still valid.");
    assert.equal(await claim(pairings, "code", "token"), undefined);
    const disputed = await requests.find("device-1", T0);
    assert.deepEqual([disputed?.requestId, disputed?.state], ["first", "disputed"]);
    assert.equal(await requests.answer(yes("first")), false, "A yes came after the dispute.");
    await putCode(pairings, "device-1", "next code");
    assert.equal(await requests.find("device-1", T0), undefined);
  }),

  asking("a second address ends the code also after the yes", async ({ requests, pairings }) => {
    await ask(requests, "first");
    assert.equal(await requests.answer(yes("first")), true);
    const elsewhere = { address: "198.51.100.1" };
    assert.deepEqual(await ask(requests, "second", elsewhere), outcome("disputed"));
    assert.equal(await claim(pairings, "code", "token"), undefined);
  }),

  asking("a no ends the code", async ({ requests, pairings }) => {
    await ask(requests, "first");
    assert.equal(await requests.answer({ ...yes("wrong"), isAllowed: false }), false);
    assert.equal(await requests.answer({ ...yes("first"), isAllowed: false }), true);
    assert.equal(await requests.find("device-1", T0), undefined);
    assert.equal(await ask(requests, "again"), undefined);
    assert.equal(await claim(pairings, "code", "token"), undefined);
  }),

  asking("of a yes and a no at once exactly one counts", async ({ requests, pairings }) => {
    await ask(requests, "first");
    const [isAllowed, isDenied] = await Promise.all([
      requests.answer(yes("first")),
      requests.answer({ ...yes("first"), isAllowed: false }),
    ]);
    assert.notEqual(isAllowed, isDenied);
    assert.equal((await claim(pairings, "code", "token")) !== undefined, isAllowed);
  }),

  asking("only the device itself answers, and only in time", async ({ requests, pairings }) => {
    await register({ pairings }, "device-2");
    await ask(requests, "first");
    assert.equal(await requests.answer({ ...yes("first"), deviceId: "device-2" }), false);
    assert.equal(await requests.find("device-2", T0), undefined);
    const over = { ...yes("first"), now: T0 + MINUTE };
    assert.equal(await requests.answer(over), false);
    assert.equal(await requests.find("device-1", T0 + MINUTE), undefined);
    assert.equal(await requests.answer({ ...over, now: T0 + MINUTE - 1 }), true);
  }),

  ...endCases(),

  two("[P12][J7] another process sees a request and its answer", async (first, second) => {
    const [here, there] = [first.pairings.requests, second.pairings.requests];
    if (here === undefined || there === undefined) return;
    await register(first, "device-1");
    await putCode(first.pairings, "device-1", "code");
    await ask(here, "first");
    assert.deepEqual(await ask(there, "second"), outcome("waiting"));
    assert.equal(await there.answer(yes("first")), true);
    assert.deepEqual(await ask(here, "third"), outcome("allowed"));
  }),
];

/** Makes the cases about the end of a request. */
function endCases(): RecordsCase[] {
  const ends: Record<string, (records: OpenedRecords) => Promise<unknown>> = {
    "is claimed": ({ pairings }) => claim(pairings, "code", "token"),
    "is replaced": ({ pairings }) => putCode(pairings, "device-1", "new"),
    "is removed": ({ pairings }) => pairings.removeCode("device-1"),
    "has expired and is forgotten": ({ packages }) => packages.forgetOld(T0 + MINUTE),
    "goes with its device": ({ pairings }) => pairings.removeDevice("device-1"),
  };
  return Object.entries(ends).map(([what, end]) =>
    asking(`a request ends when its code ${what}`, async (records) => {
      await ask(records.requests, "first");
      await records.packages.forgetOld(T0 + MINUTE - 1);
      assert.ok(await records.requests.find("device-1", T0));
      await end(records);
      assert.equal(await records.requests.find("device-1", T0), undefined);
      assert.equal(await records.requests.answer(yes("first")), false);
    }),
  );
}

/** Makes a case on a device with a code that is valid for a minute. A store without requests keeps every promise. */
function asking(
  title: string,
  run: (
    records: OpenedRecords & {
      readonly pairings: PairingRecords;
      readonly requests: PairingRequests;
    },
  ) => Promise<void>,
): RecordsCase {
  return one(`[P12] ${title}`, async (records) => {
    const { requests } = records.pairings;
    if (requests === undefined) return;
    await register(records, "device-1");
    await putCode(records.pairings, "device-1", "code");
    await run(Object.assign(records, { requests }));
  });
}

function ask(
  requests: PairingRequests,
  requestId: string,
  more: { codeHash?: string; appId?: string; address?: string; now?: number } = {},
) {
  const { now = T0 } = more;
  return requests.ask({
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
