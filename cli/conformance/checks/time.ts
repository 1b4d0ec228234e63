import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { assert, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { makeWav } from "../sounds.ts";
import type { Answer } from "../answer.ts";
import { assertState } from "./state-of.ts";
import { openUpload } from "./uploads.ts";

/** The kit does not wait for a longer window. */
const LONGEST_WINDOW_SECONDS = 900;
/** No relay says how long a status stays readable, so the kit polls it for this long. */
const LONGEST_STATUS_SECONDS = 120;
const STATUS_POLL_SECONDS = 10;
/** Time added to every wait, so that rounding doesn't matter. */
const MARGIN_SECONDS = 1;
/** The socket pings every 30 s. */
const PING_DEADLINE_MS = 40_000;

/** Checks of windows and deadlines. The relay says how long its windows are; give it short ones to test them all. */
export const TIME_CHECKS: readonly Check[] = [
  {
    id: "code-expires",
    rule: "P2",
    title: "a pairing code expires after its time",
    spec: "2.1 a pairing code expires",
    needs: "time",
    run: async (kit) => {
      const { token } = await kit.device("Conformance kit, doors");
      const given = await kit.call("POST", "/importer/pairing-code", { token });
      await untilEnd(kit, given);
      const code = String(partOf(given.json, "code"));
      assertRefusal(await kit.claim({ code, app_name: "App", app_id: "app" }), "CODE_UNKNOWN");
    },
  },
  {
    id: "lease-ends",
    rule: "S2",
    title: "a lease that nobody renews ends, and another run may take the package",
    needs: "time",
    run: async (kit) => {
      const made = await kit.waiting();
      await untilEnd(kit, await kit.take(made, { run_id: "run-1" }));
      assertStatus(await kit.take(made, { run_id: "run-2" }), 200);
    },
  },
  {
    id: "upload-window-ends",
    rule: "S4",
    title: "a package that is not committed in time is expired, and a commit is 409",
    spec: "3 upload and commit within one hour of announcing",
    needs: "time",
    run: async (kit) => {
      const [made] = await neverCommitted(kit);
      await assertState(kit, made, "expired");
      assertSame(partOf((await kit.status(made)).json, "expires_at"), null, "expires_at");
      assertRefusal(await kit.commit(made), "PACKAGE_EXPIRED");
      assertStatus(await kit.withdraw(made), 200);
    },
  },
  {
    id: "status-ends",
    rule: "S5",
    title:
      "the status of an expired package is readable for a while, and then every call on it is 404",
    spec: "3 its status stays readable for 7 days",
    needs: "time",
    run: statusEnds,
  },
  {
    id: "wait-ends",
    rule: "S4",
    title: "a package that is not imported in time is expired, and is listed no more",
    spec: "3 a package waits 24 hours for Import and is then deleted",
    needs: "time",
    run: async (kit) => {
      const made = await kit.waiting();
      await untilEnd(kit, await kit.status(made));
      await assertState(kit, made, "expired");
      assertRefusal(await kit.take(made), "PACKAGE_EXPIRED");
      assertStatus(await kit.report(made, { "1": { status: "imported" } }), 200);
      await assertState(kit, made, "imported");
    },
  },
  {
    id: "upload-stalls",
    rule: "U5",
    title: "a sender that falls silent is 408, and the file is missing",
    needs: "time",
    run: async (kit) => {
      const made = await kit.uploading();
      using call = openUpload(kit, made);
      call.write(makeWav({ fill: 1 }).subarray(0, 100));
      assertRefusal(await call.answer, "UPLOAD_STALLED");
      const { json } = await kit.status(made);
      assertSame(partOf(json, "files", "one.wav"), "missing", "The file's state");
    },
  },
  {
    id: "socket-pings",
    rule: "I3",
    title: "the socket pings every 30 s",
    needs: "time",
    run: async (kit) => {
      const { token } = await kit.device("Conformance kit, doors");
      const socket = kit.wire.socket(token);
      const over = new AbortController();
      const pinged = once(socket, "ping").then(() => true);
      const closed = once(socket, "close").then(() => false);
      // A timer that keeps the process alive, also when the relay has closed the socket.
      const signal = AbortSignal.any([kit.signal, over.signal]);
      const late = sleep(PING_DEADLINE_MS, false, { signal }).catch(() => false);
      const isPinged = await Promise.race([pinged, closed, late]).catch(() => false);
      over.abort();
      socket.terminate();
      assert(isPinged, `No ping within ${PING_DEADLINE_MS / 1000} s.`);
    },
  },
];

/** Two packages whose upload window has ended. */
function neverCommitted(kit: Kit): Promise<readonly [TestPackage, TestPackage]> {
  return kit.share("never committed", async () => {
    const made = [await kit.uploaded(), await kit.uploaded()] as const;
    await untilEnd(kit, made[1].announced);
    return made;
  });
}

async function statusEnds(kit: Kit): Promise<void> {
  const [, made] = await neverCommitted(kit);
  await assertState(kit, made, "expired");
  for (let waited = 0; (await kit.status(made)).status === 200; waited += STATUS_POLL_SECONDS) {
    if (waited >= LONGEST_STATUS_SECONDS) {
      throw new Inconclusive(
        `The status is still readable after ${waited} s; give the relay a shorter status window to try its end.`,
      );
    }
    await kit.wait(STATUS_POLL_SECONDS * 1000);
  }
  for (const after of [await kit.status(made), await kit.commit(made), await kit.withdraw(made)]) {
    assertRefusal(after, "PACKAGE_UNKNOWN");
  }
}

/** Waits until the answer's `expires_in` is over. */
async function untilEnd(kit: Kit, { json, asked }: Answer): Promise<void> {
  const seconds = Number(partOf(json, "expires_in"));
  assert(Number.isInteger(seconds), `${asked} does not say when it ends.`);
  if (seconds > LONGEST_WINDOW_SECONDS) {
    throw new Inconclusive(`That takes ${seconds} s; give the relay a shorter window to try it.`);
  }
  await kit.wait((seconds + MARGIN_SECONDS) * 1000);
}
