import { expect, test } from "vitest";
import { MemoryPairings, Pairings } from "../../client/pairing/pairings.ts";
import { SendSession } from "../../client/send/session/send-session.ts";
import { FIRST_VIEW, type SessionEvents } from "../../client/send/session/session-view.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import type { OwnPackage } from "../../core/protocol/public-api.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { ViewStore } from "../../core/view-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { soon } from "../sim/soon.ts";
import { smallWav } from "../wav-bytes.ts";

// A session without a screen, in a process that keeps nothing. Chromium has the tests with what a browser keeps.

/** A session with a computer to pair with. */
async function sessionAt(relay: RunningRelay) {
  const { token } = await relay.register("Studio");
  const code: string = (await relay.call("POST", "/importer/pairing-code", { token })).json.code;
  const store = new ViewStore(FIRST_VIEW);
  const events: [string, unknown][] = [];
  let areUploadsRefused = false;
  const pairings = new Pairings(new MemoryPairings(), {
    fetch: async (url, init) => {
      if (!areUploadsRefused || init?.method !== "PUT") return fetch(url, init);
      const headers = { [RELAY_MARK.name]: RELAY_MARK.value };
      return new Response(JSON.stringify({ error: "No room." }), { status: 507, headers });
    },
  });
  let question: string | null = null;
  const source = new Blob([new Uint8Array(smallWav())]);
  const sounds = [{ source, id: "1", name: "Kick", kind: "oneshot" }] as const;
  const draft = { title: "Take one", sounds };
  const session = new SendSession(
    {
      store,
      t: inEnglish,
      settings: () => ({ relayUrl: relay.url, appName: "Looper", asksTempo: false }),
      pairings,
      appId: () => "app-1",
      emit: (name: keyof SessionEvents, detail) => events.push([name, detail]),
    },
    () => ({
      question,
      series: null,
      decide: (sound) => sound,
      packages: [
        {
          title: "Take one",
          sounds: [{ id: "1", name: "Kick" }],
          keys: ["1"],
          describe: async () => ({ draft, notes: [] }),
        },
      ],
    }),
  );
  return {
    session,
    store,
    events,
    code,
    ask: (asked: string | null): void => {
      question = asked;
    },
    refuseUploads: (areRefused: boolean): void => {
      areUploadsRefused = areRefused;
    },
    packages: async (): Promise<readonly OwnPackage[]> => {
      const [pairing] = await pairings.list();
      const list = await relay.call("GET", "/packages", { token: pairing?.token ?? "" });
      return list.json.packages;
    },
  };
}

test("[W33] a session pairs with a link of its relay, and names both addresses for another one", async () => {
  await using relay = await RunningRelay.start();
  const { session, store, code } = await sessionAt(relay);
  await session.begin(null);
  expect(store.view).toMatchObject({ computers: [], isPairing: true });
  expect(await session.pairing.pair("https://other.example/#code=K7MQ2X")).toBe(false);
  expect(store.view.codeError).toContain("https://other.example");
  expect(store.view.codeError).toContain(relay.url);
  expect(await session.pairing.pair(`${relay.url}/#code=${code}`)).toBe(true);
  expect(store.view).toMatchObject({ computers: [{ name: "Studio" }], isPairing: false, code: "" });
});

test("[W34] a session asks before it sends, sends, follows and withdraws", async () => {
  await using relay = await RunningRelay.start();
  const { session, store, events, code, ask } = await sessionAt(relay);
  await session.begin(code);
  await session.pairing.pair(code);
  ask("Loop or one-shot?");
  expect(await session.sending.send()).toBeNull();
  expect(store.view.error).toBe("Loop or one-shot?");
  ask(null);
  const packageId = await session.sending.send();
  expect(store.view).toMatchObject({ error: null, sending: null, attempt: null });
  await soon(() => store.view.sent).toMatchObject([{ packageId, status: "waiting" }]);
  const [item] = store.view.sent;
  if (item !== undefined) await session.sent.withdraw(item);
  expect(store.view.sent).toMatchObject([{ packageId, status: "withdrawn", trouble: null }]);
  expect(events.map(([name]) => name)).toEqual(["paired", "sent"]);
  session.sent.end();
});

test("[G18] what can't be kept or finished is withdrawn, and the next try is a new package", async () => {
  await using relay = await RunningRelay.start();
  const { session, store, code, refuseUploads, packages } = await sessionAt(relay);
  await session.begin(null);
  await session.pairing.pair(code);
  refuseUploads(true);
  expect(await session.sending.send()).toBeNull();
  expect(store.view).toMatchObject({ error: "No room.", attempt: null, sending: null });
  expect(await packages()).toEqual([]);
  refuseUploads(false);
  const packageId = await session.sending.send();
  expect(await packages()).toMatchObject([{ package_id: packageId, status: "waiting" }]);
  session.sent.end();
});
