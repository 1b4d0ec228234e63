import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FilePairings, FileTokenStore } from "../../client/node/file-token-store.ts";
import { readPairingLink } from "../../client/pairing/pairing-link.ts";
import { MemoryPairings, Pairings } from "../../client/pairing/pairings.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { streamingUpload } from "../../client/node/in-node.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { smallWav } from "../wav-bytes.ts";
import { manifestOf } from "../manifest-of.ts";

/** Registers one computer per name at a relay, each with a valid code. */
async function codesOf(relay: RunningRelay, names: readonly string[]): Promise<string[]> {
  const codes: string[] = [];
  for (const name of names) {
    const { token } = await relay.register(name);
    codes.push((await relay.call("POST", "/importer/pairing-code", { token })).json.code);
  }
  return codes;
}

async function pairingsIn(file?: string) {
  const path = file ?? join(await temporaryFolder(), "new", "pairings.json");
  const app = { name: "Looper", id: "app-1" };
  return { path, pairings: new Pairings(new FilePairings(path), { app }) };
}

const namesOf = async (pairings: Pairings) =>
  (await pairings.list()).map(({ deviceName }) => deviceName);

describe("several pairings", () => {
  test("[W41] share what their clients know of a relay", async () => {
    await using relay = await RunningRelay.start();
    const [code = ""] = await codesOf(relay, ["Studio"]);
    let isForeign = false;
    const store = new MemoryPairings();
    const pairings = new Pairings(store, {
      app: { name: "Looper", id: "app-1" },
      fetch: async (url, init) => (isForeign ? new Response("<h1>Sign in</h1>") : fetch(url, init)),
    });
    const pairing = await pairings.pair(relay.url, code);
    isForeign = true;
    await expect(pairings.clientOf(pairing).me()).rejects.toMatchObject({ code: "FOREIGN_ANSWER" });
    const other = new Pairings(store, { fetch: async () => new Response("<h1>Hi</h1>") });
    await expect(other.clientOf(pairing).me()).rejects.toMatchObject({ code: "NOT_A_RELAY" });
  });

  test("[W8] list the one paired or picked last first, and each client calls its own computer", async () => {
    await using relay = await RunningRelay.start();
    const { path, pairings } = await pairingsIn();
    expect(await pairings.list()).toEqual([]);
    for (const code of await codesOf(relay, ["Studio", "Attic", "Attic"])) {
      await pairings.pair(`${relay.url}/`, code);
    }
    expect(await namesOf(pairings)).toEqual(["Attic", "Attic", "Studio"]);
    const studio = (await pairings.list()).at(-1);
    if (studio === undefined) throw new Error("It was paired.");
    expect(studio.relayUrl).toBe(relay.url);
    await pairings.pick(studio);

    const { pairings: later } = await pairingsIn(path);
    expect(await namesOf(later)).toEqual(["Studio", "Attic", "Attic"]);
    const me = await later.clientOf(studio).me();
    expect(me).toMatchObject({ device_name: "Studio", app_name: "Looper" });
  });

  test("[W8] forget only the affected one after a 401 or an unpair", async () => {
    await using relay = await RunningRelay.start();
    const { pairings } = await pairingsIn();
    const paired = [];
    for (const code of await codesOf(relay, ["Studio", "Attic", "Cellar"])) {
      paired.push(await pairings.pair(relay.url, code));
    }
    const [studio, attic] = paired;
    if (studio === undefined || attic === undefined) throw new Error("They were paired.");
    await pairings.clientOf(studio).unpair();
    expect(await namesOf(pairings)).toEqual(["Cellar", "Attic"]);

    await relay.call("POST", "/app/unpair", { token: attic.token });
    await expect(pairings.clientOf(attic).me()).rejects.toMatchObject({ status: 401 });
    expect(await namesOf(pairings)).toEqual(["Cellar"]);
    await expect(pairings.clientOf(attic).me()).rejects.toMatchObject({ code: "NOT_PAIRED" });
  });

  test("[W8] are all stored when made concurrently", async () => {
    await using relay = await RunningRelay.start();
    const { pairings } = await pairingsIn();
    const codes = await codesOf(relay, ["A", "B", "C", "D", "E"]);
    await Promise.all(codes.map((code) => pairings.pair(relay.url, code)));
    expect((await namesOf(pairings)).toSorted()).toEqual(["A", "B", "C", "D", "E"]);
  });

  test("[W8] stay unchanged when a code is refused", async () => {
    await using relay = await RunningRelay.start();
    const { pairings } = await pairingsIn();
    await expect(pairings.pair(relay.url, "K7M Q2X")).rejects.toMatchObject({ status: 404 });
    expect(await pairings.list()).toEqual([]);
  });
});

test("[W33][P3] a pasted link has the relay and the code, whatever was pasted around it", () => {
  const relayUrl = "https://relay.example/ferry";
  const link = `${relayUrl}/#code=%EF%BC%AB7M%20Q2X`;
  for (const text of [link, ` ${link}\n`, `\u200b“${link}`, `Pair: ${link}`]) {
    expect(readPairingLink(text)).toEqual({ relayUrl, code: "Ｋ7M Q2X" });
  }
  for (const text of [
    "K7M Q2X",
    relayUrl,
    `${relayUrl}#code=`,
    "ftp://relay.example#code=K7MQ2X",
  ]) {
    expect(readPairingLink(text)).toBeNull();
  }
});

describe("the file of pairings", () => {
  test("[W7] is readable by its owner alone", async () => {
    const { path, pairings } = await pairingsIn();
    await pairings.pick({ relayUrl: "http://here", deviceName: "Studio", token: "sfa_x" });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toContain("sfa_x");
  });

  test("[W8] skips entries that are not pairings", async () => {
    const path = join(await temporaryFolder(), "pairings.json");
    const good = { relayUrl: "http://here", deviceName: "Studio", token: "sfa_x" };
    await writeFile(path, JSON.stringify([7, null, { ...good, token: 7 }, good]));
    expect(await (await pairingsIn(path)).pairings.list()).toEqual([good]);
  });
});

describe("the file of tokens", () => {
  test("[W7] stores one token per relay in a file that only its owner may read", async () => {
    const file = join(await temporaryFolder(), "deep", "tokens.json");
    const here = new FileTokenStore(file, "http://here/");
    const there = new FileTokenStore(file, "https://there");
    expect(await here.load()).toBeUndefined();

    await here.save("sfa_here");
    await there.save("sfa_there");
    expect(await new FileTokenStore(file, "HTTP://Here").load()).toBe("sfa_here");
    expect(await there.load()).toBe("sfa_there");
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);

    await here.forget("another");
    expect(await here.load()).toBe("sfa_here");
    await here.forget("sfa_here");
    expect(await here.load()).toBeUndefined();
    expect(await readFile(file, "utf8")).not.toContain("sfa_here");
    expect(await there.load()).toBe("sfa_there");
  });

  test("[K17] reads a file with a byte order mark", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    await writeFile(file, `\uFEFF${JSON.stringify({ "http://here": "sfa_here" })}`);
    expect(await new FileTokenStore(file, "http://here").load()).toBe("sfa_here");
  });

  test.each(["{", "null", "7"])("[W6] says what to do about a damaged file: %s", async (text) => {
    const file = join(await temporaryFolder(), "tokens.json");
    await writeFile(file, text);
    const loading = new FileTokenStore(file, "http://here").load();
    const message = `${file} is damaged. Delete it and pair again.`;
    await expect(loading).rejects.toMatchObject({ code: "TOKENS_DAMAGED", message });
  });
});

const FILES = ["kick drum.wav", "snare.wav", "hat.wav", "clap.wav"];

async function pairedClient(relay: RunningRelay, streams = false): Promise<SoundferryClient> {
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const client = new SoundferryClient({
    relayUrl: relay.url,
    tokenStore: new MemoryTokenStore(),
    ...(streams && { upload: streamingUpload(fetch) }),
  });
  await client.pair(json.code, { name: "Looper", id: "app-1" });
  return client;
}

function kit() {
  const bytes = new Uint8Array(smallWav());
  const manifest: object = manifestOf(FILES);
  if (!isJsonObject(manifest)) throw new Error("A manifest is an object.");
  return { manifest, sounds: new Map(FILES.map((file) => [file, new Blob([bytes])])) };
}

/** Counts the uploads that a relay has answered. */
function uploadsAt(relay: RunningRelay): number {
  return relay.logLines.filter((line) => line.includes('"method":"PUT"')).length;
}

test.each([false, true])(
  "[S1][S8] pairs, sends and follows with a real relay; streamed: %s",
  async (streams) => {
    await using relay = await RunningRelay.start();
    const client = await pairedClient(relay, streams);
    expect(await client.me()).toMatchObject({ device_name: "Studio", app_name: "Looper" });

    const outgoing = kit();
    const first = await client.sendManifest(outgoing, { idempotencyKey: "take-1" });
    const second = await client.sendManifest(outgoing, { idempotencyKey: "take-2" });
    expect(second.packageId).not.toBe(first.packageId);

    const statuses = client.follow(first.packageId);
    expect((await statuses.next()).value).toMatchObject({ status: "waiting" });
    const end = expect(statuses.next()).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    await client.withdraw(first.packageId);
    await end;
  },
);

test("[W4][M9] a send that failed half-way resumes the same package with the same key", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  const idempotencyKey = "take-1";
  const whole = kit();
  const half = { ...whole, sounds: new Map([...whole.sounds, ["hat.wav", new Blob(["no WAV"])]]) };
  let announcedId = "";
  const failing = client.sendManifest(half, {
    idempotencyKey,
    onAnnounced: ({ package_id }) => {
      announcedId = package_id;
    },
  });
  await expect(failing).rejects.toMatchObject({ status: 422 });
  const { packageId } = await client.sendManifest(whole, { idempotencyKey });
  expect(packageId).toBe(announcedId);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test("[W4] with the app's own key, only missing files are uploaded", async () => {
  await using relay = await RunningRelay.start();
  const client = await pairedClient(relay);
  const idempotencyKey = "take-1";
  const { manifest, sounds } = kit();
  const { upload, package_id: id } = await client.announce(manifest, { idempotencyKey });
  for (const file of FILES.slice(0, 3)) {
    await client.upload(upload[file] ?? "", sounds.get(file) ?? new Blob([]));
  }
  const progress: number[] = [];
  const { packageId } = await client.sendManifest(
    { manifest, sounds },
    { idempotencyKey, onProgress: ({ doneBytes }) => progress.push(doneBytes) },
  );
  expect(packageId).toBe(id);
  expect(progress.at(-1)).toBe(4 * smallWav().length);
  expect(uploadsAt(relay)).toBe(4);

  // The answer to a commit may be lost on the way; sending again must still succeed.
  await client.sendManifest({ manifest, sounds }, { idempotencyKey });
  expect(uploadsAt(relay)).toBe(4);
});
