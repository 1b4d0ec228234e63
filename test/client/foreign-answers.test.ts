import { afterAll, beforeAll, expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { manifestOf } from "../manifest-of.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { HttpCutter, type PassingCall } from "../sim/http-cutter.ts";
import { soon } from "../sim/soon.ts";
import { FOREIGN } from "../vectors/foreign-answers.ts";
import type { ForeignAnswer } from "../vectors/vector.ts";
import { smallWav } from "../wav-bytes.ts";
import { someOf } from "../whole-forms.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";

// Somebody answers in the place of a real relay: each answer, on each call, at first and in the middle.

const APP = { name: "Looper", id: "app-1" };
/** Long enough to be resumed. */
const LONG = smallWav({ frames: 540_000 });
const DRAFT = { sounds: [{ source: LONG }, { source: smallWav() }] };
const MANY = "1000000";
/** Answers that whole sends are tried with, because each takes a while. */
const SOME = someOf(FOREIGN.answers, 7);

let relay: RunningRelay;
let line: HttpCutter;

beforeAll(async () => {
  relay = await RunningRelay.start({
    SOUNDFERRY_CALLS_PER_MINUTE: MANY,
    SOUNDFERRY_PACKAGES_PER_HOUR: MANY,
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: MANY,
    SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1000",
  });
  line = await HttpCutter.to(relay.url);
});

afterAll(async () => {
  await line[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

/** An app behind the line, and its packages at the relay. */
async function paired() {
  line.fault = () => undefined;
  const importer = await relay.register();
  const token = await relay.pair(importer);
  const tokenStore = new MemoryTokenStore(token);
  return {
    importer,
    token,
    tokenStore,
    client: () => pairedClient(line.url, { ...IN_NODE, tokenStore, pace: instantPace() }),
    statuses: async (): Promise<string[]> => {
      const { json } = await relay.call("GET", "/packages", { token });
      return json.packages.map(({ status }: { status: string }) => status);
    },
  };
}

/** From now on, somebody else answers the calls that `isTaken` chooses. */
function takeOver(
  { answer: { status, headers, body } }: ForeignAnswer,
  isTaken: (call: PassingCall) => boolean = () => true,
): void {
  line.fault = (call) =>
    isTaken(call) ? { status, headers: { ...headers }, body: String(body) } : undefined;
}

/** `fetch` hides a proxy's 407, which then counts as a lost connection. */
const isHidden = ({ answer }: ForeignAnswer) => answer.status === 407;

/** Every call of the client, in an order in which each can succeed. */
function callsOf(code: string) {
  const files = ["kick.wav"];
  let packageId = "";
  let path = "";
  return {
    claim: (client: SoundferryClient) => client.pair(code, APP),
    me: (client: SoundferryClient) => client.me(),
    announce: async (client: SoundferryClient) => {
      const answer = await client.announce({ ...manifestOf(files) });
      packageId = answer.package_id;
      path = answer.upload["kick.wav"] ?? "";
    },
    upload: (client: SoundferryClient) =>
      client.upload(path, new Blob([new Uint8Array(smallWav())])),
    commit: (client: SoundferryClient) => client.commit(packageId),
    status: (client: SoundferryClient) => client.status(packageId),
    withdraw: (client: SoundferryClient) => client.withdraw(packageId),
    unpair: (client: SoundferryClient) => client.unpair(),
  };
}

test.each(FOREIGN.answers.flatMap((one) => [true, false].map((isFirst) => ({ one, isFirst }))))(
  "[W41] $one.name ends no call, and costs nothing; at first: $isFirst",
  async ({ one, isFirst }) => {
    const app = await paired();
    const { json } = await relay.call("POST", "/importer/pairing-code", {
      token: app.importer.token,
    });
    const shared = app.client();
    if (!isFirst) await shared.me();
    for (const [name, act] of Object.entries(callsOf(json.code))) {
      const before = await app.tokenStore.load();
      takeOver(one);
      const client = isFirst ? app.client() : shared;
      const code = isFirst ? one.first : "FOREIGN_ANSWER";
      await expect(act(client), name).rejects.toMatchObject({
        name: "ClientError",
        code: isHidden(one) ? "NO_ANSWER" : code,
      });
      expect(await app.tokenStore.load(), name).toBe(before);
      line.fault = () => undefined;
      await act(client);
    }
    expect(await app.tokenStore.load()).toBeUndefined();
  },
);

test.each(SOME)("[W41] $name pauses a send, and one package arrives", async (one) => {
  const app = await paired();
  const client = app.client();
  await client.me();
  const from = line.calls.length;
  takeOver(one, ({ method, path }) => {
    const earlier = line.calls.slice(from).filter((call) => call.path === path);
    return earlier.filter((call) => call.method === method).length <= 2;
  });
  const states: string[] = [];
  await client.send(DRAFT, { onState: (state) => states.push(state) });
  expect(states).toContain("paused");
  expect(await app.statuses()).toEqual(["waiting"]);
});

test.each(SOME)("[W41] $name before a send announces nothing", async (one) => {
  const app = await paired();
  const client = app.client();
  takeOver(one);
  await expect(client.send(DRAFT, { giveUpAfterMs: 60_000 })).rejects.toMatchObject({
    code: isHidden(one) ? "NO_ANSWER" : one.first,
  });
  line.fault = () => undefined;
  await client.send(DRAFT);
  expect(await app.statuses()).toEqual(["waiting"]);
});

test.each(SOME)("[W12][W41] $name withdraws nothing", async (one) => {
  const app = await paired();
  const client = app.client();
  const stop = new AbortController();
  const sending = client.send(DRAFT, {
    signal: stop.signal,
    onAnnounced: () => {
      takeOver(one);
      stop.abort();
    },
  });
  await expect(sending).rejects.toMatchObject({ outcome: "pending" });
  expect(await app.statuses()).toEqual(["uploading"]);
  line.fault = () => undefined;
  await client.me();
  await soon(() => app.statuses()).toEqual([]);
});
