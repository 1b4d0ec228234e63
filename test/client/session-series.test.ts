import { expect, onTestFinished, test } from "vitest";
import { MemoryPairings, Pairings } from "../../client/pairing/pairings.ts";
import type { SoundDraft } from "../../client/send/package-draft.ts";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import { SendSession } from "../../client/send/session/send-session.ts";
import { asksPacking } from "../../client/send/session/session-packing.ts";
import { decided, draftOf } from "../../client/send/session/session-sound.ts";
import { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { FIRST_VIEW } from "../../client/send/session/session-view.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import type { OwnPackage } from "../../core/protocol/public-api.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { ViewStore } from "../../core/view-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: AudioTools = await import(tools);

/** So many small one-shots. */
const hits = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    source: new File([new Uint8Array(smallWav())], `Hit One Shot ${index + 1}.wav`),
  }));

/** The sounds of a session, among them stems of 180 s. */
function openStems() {
  const store = new ViewStore(FIRST_VIEW);
  const settings = () => ({ relayUrl: "http://relay.test", appName: "Looper", asksTempo: true });
  return { store, sounds: new SessionSounds({ store, t: inEnglish, settings, audio }) };
}

/** So many stems of one song. */
const stems = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const wav = smallWav({ frames: 180 * 1000, sampleRateHz: 1000, bits: 8 });
    return { source: new File([new Uint8Array(wav)], `Neon Rain (Vocals ${index + 1}).wav`) };
  });

const timing = ({ kind, bpm, lengthBeats }: SoundDraft) => `${kind} ${bpm} ${lengthBeats}`;

/** A paired session whose uploads can be refused from the n-th package on. */
async function sendingSession() {
  const relay = await RunningRelay.start();
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { token } = await relay.register("Studio");
  const code: string = (await relay.call("POST", "/importer/pairing-code", { token })).json.code;
  const store = new ViewStore(FIRST_VIEW);
  let announced = 0;
  let refusedFrom = Infinity;
  let onUpload: (number: number) => void = () => {};
  const pairings = new Pairings(new MemoryPairings(), {
    fetch: async (url, init) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      if (init?.method === "POST" && pathname === "/packages") announced += 1;
      if (init?.method === "PUT") onUpload(announced);
      if (init?.method !== "PUT" || announced < refusedFrom) return fetch(url, init);
      const headers = { [RELAY_MARK.name]: RELAY_MARK.value };
      return new Response(JSON.stringify({ error: "No room." }), { status: 507, headers });
    },
  });
  const settings = () => ({ relayUrl: relay.url, appName: "Looper", asksTempo: true });
  const sounds = new SessionSounds({ store, t: inEnglish, settings, audio });
  const deps = { store, t: inEnglish, settings, pairings, appId: () => "app-1" };
  const session = new SendSession(deps, () => sounds.outgoing());
  onTestFinished(() => session.sent.end());
  await session.begin(null);
  await session.pairing.pair(code);
  return {
    session,
    store,
    sounds,
    refuseFrom: (number: number): void => {
      refusedFrom = number;
    },
    whenUploading: (act: (number: number) => void): void => {
      onUpload = act;
    },
    packages: async (): Promise<readonly OwnPackage[]> => {
      const [pairing] = await pairings.list();
      const list = await relay.call("GET", "/packages", { token: pairing?.token ?? "" });
      return list.json.packages;
    },
    manifests: async () => {
      const { json } = await relay.call("GET", "/importer/packages", { token });
      return json.packages as { manifest: { title: string; items: { name: string }[] } }[];
    },
  };
}

const titles = (packages: readonly { readonly title: string }[]) =>
  packages.map(({ title }) => title).toSorted();

test("[G20] packages go one after the other, and progress says which", async () => {
  const { session, store, sounds, packages, manifests } = await sendingSession();
  await sounds.add(hits(65));
  sounds.setTitle("Kit");
  expect(await session.sending.send()).toBeNull();
  expect(store.view.error).toContain("65 sounds in total");
  sounds.answerPacking({ as16: false, count: 3 });
  const seen: string[] = [];
  store.subscribe(() => {
    const { sending, sent } = store.view;
    if (sending !== null)
      seen.push(`${sending.part?.number} of ${sending.part?.count}, ${sent.length} sent`);
  });
  const last = await session.sending.send();
  // The next begins only when the one before is whole.
  expect([...new Set(seen)]).toEqual([
    "1 of 3, 0 sent",
    "1 of 3, 1 sent",
    "2 of 3, 1 sent",
    "2 of 3, 2 sent",
    "3 of 3, 2 sent",
    "3 of 3, 3 sent",
  ]);
  const wanted = ["Kit (1 of 3)", "Kit (2 of 3)", "Kit (3 of 3)"];
  expect(store.view.sent.map(({ title }) => title)).toEqual(wanted);
  expect(store.view.sent.at(-1)?.packageId).toBe(last);
  expect(titles(await packages())).toEqual(wanted);
  const names = (await manifests())
    .toSorted((one, other) => (one.manifest.title < other.manifest.title ? -1 : 1))
    .flatMap(({ manifest }) => manifest.items.map(({ name }) => name));
  expect(names).toHaveLength(65);
  expect(new Set(names).size).toBe(65);
  const { sounds: left, series, packAnswer, title, attempt, sending } = store.view;
  expect({ left, series, packAnswer, title, attempt, sending }).toEqual({
    left: [],
    series: null,
    packAnswer: null,
    title: null,
    attempt: null,
    sending: null,
  });
});

test("[G18][G20] what failed in the middle continues with the rest, under the titles of the first try", async () => {
  const { session, store, sounds, refuseFrom, packages } = await sendingSession();
  await sounds.add(hits(65));
  sounds.setTitle("Kit");
  sounds.answerPacking({ as16: false, count: 3 });
  refuseFrom(2);
  expect(await session.sending.send()).toBeNull();
  expect(store.view.error).toBe(
    "No room. 1 of 3 packages were sent. Send continues with the rest.",
  );
  expect(store.view.sounds).toHaveLength(33);
  expect(asksPacking(store.view)).toBe(false);
  expect(sounds.outgoing()?.packages.map(({ title }) => title)).toEqual([
    "Kit (2 of 3)",
    "Kit (3 of 3)",
  ]);
  refuseFrom(Infinity);
  expect(await session.sending.send()).not.toBeNull();
  const wanted = ["Kit (1 of 3)", "Kit (2 of 3)", "Kit (3 of 3)"];
  expect(titles(await packages())).toEqual(wanted);
  expect(store.view.sounds).toEqual([]);
});

test("[G18][G20] Cancel in the middle withdraws the package that isn't whole; its sounds stay", async () => {
  const { session, store, sounds, whenUploading, packages } = await sendingSession();
  await sounds.add(hits(33));
  sounds.answerPacking({ as16: false, count: 2 });
  whenUploading((number) => {
    if (number === 2) session.sending.cancel();
  });
  expect(await session.sending.send()).toBeNull();
  expect(store.view).toMatchObject({ sending: null, announcement: "Cancelled." });
  expect(store.view.sounds).toHaveLength(1);
  expect((await packages()).map(({ status }) => status)).toEqual(["waiting"]);
});

test("[G20] after a change, what is left is a package of its own", async () => {
  const { session, store, sounds, refuseFrom } = await sendingSession();
  await sounds.add(hits(33));
  sounds.setTitle("Kit");
  sounds.answerPacking({ as16: false, count: 2 });
  refuseFrom(2);
  await session.sending.send();
  sounds.setTitle("Rest");
  expect(store.view.series).toBeNull();
  expect(sounds.outgoing()?.packages.map(({ title }) => title)).toEqual(["Rest"]);
});

test("[G20] stems that are left keep their kind, tempo and length, also when they are guessed again", async () => {
  const { store, sounds } = openStems();
  await sounds.add(stems(33));
  sounds.setTempo("97");
  sounds.setTitle("Neon Rain");
  sounds.answerPacking({ as16: false, count: 2 });
  const before = store.view.sounds.map(draftOf).map(timing);
  expect(new Set(before).size).toBe(1);
  const [first, second] = sounds.outgoing()?.packages ?? [];
  expect([first?.keys.length, second?.keys.length]).toEqual([32, 1]);
  // As after the first package: one stem is no recording of its own.
  const rest = store.view.sounds.filter(({ key }) => second?.keys.includes(key));
  sounds.restore([]);
  store.change({ sounds: [] });
  sounds.restore(rest.map(decided));
  expect(store.view.groups).toEqual([]);
  expect(store.view.sounds.map(draftOf).map(timing)).toEqual(before.slice(0, 1));
});
