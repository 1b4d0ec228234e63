import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import wavCases from "../../../../fixtures/refused/wav/cases.json" with { type: "json" };
import { MAX_PACKAGE_BYTES } from "../../../../core/limits.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { INTEROP, partHeaders } from "../partial-calls.ts";
import { World } from "./world.ts";
import { soon } from "../../../sim/soon.ts";
import { formOf } from "../../../wrapped-bytes.ts";
import { manifestOf } from "../../../manifest-of.ts";

const REFUSED = join(import.meta.dirname, "../../../../fixtures/refused");
const KICK = { file: "kick.wav" };
/** The calls that carry a whole sound. */
const CARRYING = {
  uploadFile: {},
  appendToFile: partHeaders(0, "?1"),
} as const;
type Carrying = keyof typeof CARRYING;
const CARRIERS: readonly Carrying[] = ["uploadFile", "appendToFile"];

/** Produces every answer specific to the app's calls. */
export async function produceAppCases(world: World): Promise<void> {
  await pairing(world);
  await announcing(world);
  for (const carrier of CARRIERS) await uploading(world, carrier);
  await resuming(world);
  await committing(world);
  await room(world);
  await lapsedRoom(world);
  await endings(world);
}

async function pairing(world: World): Promise<void> {
  const { relay, importer } = world;
  const made = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const claim = { code: made.json.code, app_name: "Looper", app_id: "second" };
  await world.call("claimPairing", { body: { ...claim, app_name: "" } });
  await world.call("claimPairing", { body: { ...claim, app_id: "x".repeat(201) } });
  const claimed = await world.call("claimPairing", { body: claim });
  await world.call("claimPairing", { body: claim });
  await world.call("claimPairing", { body: claim, headers: { "idempotency-key": "" } });
  await world.call("readPairing");
  const contract = await world.call("readContract");
  const known = { "if-none-match": contract.headers.get("etag") ?? "" };
  await world.call("readContract", { headers: known });
  await world.call("unpair", { token: JSON.parse(claimed.text).app_token });
  await using strict = await World.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "2" }, world.watch);
  while ((await strict.call("claimPairing", { body: claim })).status !== 429);
}

async function announcing(world: World): Promise<void> {
  const key = (value: string) => ({ "idempotency-key": value });
  const body = manifestOf(["kick.wav"], { extra: true });
  await world.call("announcePackage", { body, headers: key("once") });
  await world.call("announcePackage", { body: { ...body, title: "B" }, headers: key("once") });
  await world.call("announcePackage", { body, headers: key("k".repeat(201)) });
  for (const name of readdirSync(join(REFUSED, "manifest"))) {
    const { code, manifest } = JSON.parse(readFileSync(join(REFUSED, "manifest", name), "utf8"));
    if (code === "NOT_JSON") continue;
    const refused = await world.call("announcePackage", { body: JSON.stringify(manifest) });
    expect(JSON.parse(refused.text).code, name).toBe(code);
  }
  await using strict = await World.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "1" }, world.watch);
  for (let count = 0; count < 2; count += 1) await strict.call("announcePackage", { body });
}

async function uploading(world: World, carrier: Carrying): Promise<void> {
  const headers = CARRYING[carrier];
  const id = await world.announced(["kick.wav", "snare.wav"]);
  const put = (body: Uint8Array, parts: Record<string, string> = {}) =>
    world.call(carrier, { parts: { id, ...KICK, ...parts }, body, headers });
  await put(smallWav(), { id: "pkg_none" });
  await put(smallWav(), { file: "hat.wav" });
  await put(smallWav().subarray(1));
  await put(smallWav({ fill: 9 }));
  await put(formOf(smallWav()));
  await put(gzipSync(smallWav()));
  await put(smallWav());
  await world.call("commitPackage", { parts: { id } });
  await put(smallWav(), { file: "snare.wav" });
  await world.call("commitPackage", { parts: { id } });
  await put(smallWav());
  for (const { file, code } of wavCases) {
    const wav = readFileSync(join(REFUSED, "wav", file));
    const manifest = manifestOf({ [file]: wav });
    const { package_id } = await world.relay.announce(world.token, manifest);
    if (package_id === undefined) throw new Error(`${file} was not announced.`);
    const refused = await put(wav, { id: package_id, file });
    expect(JSON.parse(refused.text).code, file).toBe(code);
    await world.call("takeBackPackage", { parts: { id: package_id } });
  }
  await tooManyUploads(world, carrier);
}

async function resuming(world: World): Promise<void> {
  const parts = { id: await world.announced(), ...KICK };
  const append = (headers: Record<string, string>, body: object = smallWav()) =>
    world.call("appendToFile", { parts, body, headers });
  await append({});
  await append({ ...partHeaders(0, "?1"), "content-type": "audio/wav" });
  await append(partHeaders("none", "?1"));
  const { headers, text } = await append(partHeaders(1, "?1"));
  expect([headers.get("upload-offset"), headers.get("upload-complete")]).toEqual(["0", "?0"]);
  expect(JSON.parse(text)).toMatchObject({ "expected-offset": 0, "provided-offset": 1 });
  await append(partHeaders(0, "?0"), smallWav().subarray(0, 50));
  await world.call("readUploadOffset", { parts });
  await world.call("readUploadOffset", { parts, headers: INTEROP });
  await world.call("readUploadOffset", { parts: { id: "pkg_none", ...KICK }, headers: INTEROP });
  // Without a first piece the headers aren't sent.
  const start = (stream: ReadableStreamDefaultController) => stream.enqueue(Buffer.alloc(9));
  const slow = append(partHeaders(50, "?1"), new ReadableStream<Uint8Array>({ start }));
  await soon(() => world.relay.relay.context.admission.budget("uploads").used).toBe(1);
  await world.call("readUploadOffset", { parts, headers: INTEROP });
  expect(JSON.parse((await slow).text).code).toBe("UPLOAD_REPLACED");
}

async function tooManyUploads(world: World, carrier: Carrying): Promise<void> {
  const headers = CARRYING[carrier];
  await using strict = await World.start({ SOUNDFERRY_UPLOADS_PER_DEVICE: "1" }, world.watch);
  const [id, other] = [await strict.announced(), await strict.announced()];
  const third = await strict.announced();
  let end = (): void => undefined;
  const wav = smallWav();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      stream.enqueue(wav.subarray(0, 50));
      end = () => {
        stream.enqueue(wav.subarray(50));
        stream.close();
      };
    },
  });
  const first = strict.call(carrier, { parts: { id, ...KICK }, body, headers });
  await soon(
    async () =>
      (await strict.call("uploadFile", { parts: { id: other, ...KICK }, body: wav })).status,
  ).toBe(429);
  await strict.call(carrier, { parts: { id: third, ...KICK }, body: wav, headers });
  end();
  expect((await first).status).toBe(200);
}

async function committing(world: World): Promise<void> {
  const waiting = { id: await world.sent() };
  await world.call("commitPackage", { parts: { id: "pkg_none" } });
  await world.call("readStatus", { parts: waiting });
  for (const query of ["", "?status=waiting", "?status=gone", "?after=x"]) {
    await world.call("listOwnPackages", { query });
  }
  await world.call("readStatus", { parts: waiting, query: "?wait=1&known=uploading" });
  await world.call("readStatus", { parts: { id: "pkg_none" } });
  await world.call("readStatus", { parts: { id: await world.sent("imported") } });
  await world.call("takePackage", { parts: waiting });
  await world.call("takeBackPackage", { parts: waiting });
  await world.call("takeBackPackage", { parts: { id: await world.sent("imported") } });
  await world.call("takeBackPackage", { parts: { id: await world.sent() } });
  await world.call("takeBackPackage", { parts: { id: "pkg_none" } });
}

async function room({ watch }: World): Promise<void> {
  await using small = await World.start({ SOUNDFERRY_BYTES_PER_DEVICE: "10" }, watch);
  await small.call("announcePackage", { body: manifestOf(["kick.wav"]) });
  await using narrow = await World.start({ SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY: "10" }, watch);
  await narrow.call("announcePackage", { body: manifestOf(["kick.wav"]) });
  await using few = await World.start({ SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1" }, watch);
  await few.sent();
  await few.call("announcePackage", { body: manifestOf(["kick.wav"]) });
}

/** Sounds that are sent after their room has lapsed, where it was given to others meanwhile. */
async function lapsedRoom({ watch }: World): Promise<void> {
  const one = String(Math.ceil(smallWav().byteLength * 1.5));
  const large = { file: "x.wav", bytes: MAX_PACKAGE_BYTES, sha256: "0".repeat(64) };
  const body = { schema: "app2host/1", items: [large] };
  for (const [settings, fill] of [
    [{ SOUNDFERRY_BYTES_PER_DEVICE: one }, (world: World) => world.sent()],
    [{ SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY: one }, (world: World) => world.sent()],
    [
      {},
      async (world: World) => {
        while ((await world.call("announcePackage", { body })).status !== 507);
      },
    ],
  ] as const) {
    await using world = await World.start(settings, watch);
    const parts = { id: await world.announced(), ...KICK };
    world.relay.clock.pass(300);
    await fill(world);
    for (const carrier of CARRIERS) {
      await world.call(carrier, { parts, body: smallWav(), headers: CARRYING[carrier] });
    }
  }
}

async function endings({ watch }: World): Promise<void> {
  await using world = await World.start({}, watch);
  const parts = { id: await world.announced(), ...KICK };
  world.relay.clock.pass(3600);
  await world.call("readStatus", { parts });
  for (const carrier of CARRIERS) {
    await world.call(carrier, { parts, body: smallWav(), headers: CARRYING[carrier] });
  }
  await world.call("readUploadOffset", { parts, headers: INTEROP });
  await world.call("commitPackage", { parts });
}
