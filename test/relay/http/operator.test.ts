import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { Administration } from "../../../relay/operating/administer.ts";
import { blockSubjectOf } from "../../../relay/operating/operator-actions.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { openSocket } from "./open-socket.ts";
import { longWav, sendLong } from "./send-long.ts";
import { silentUpload } from "./silent-upload.ts";
import { slowGet } from "./slow-get.ts";
import { storedKeys } from "./stored-keys.ts";
import { handOn } from "../operating/backed-up-relay.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const WAV = smallWav();
const SUM = createHash("sha256").update(WAV).digest("hex");
/** One who comes through the proxy that the relay trusts. */
const FROM = { "x-forwarded-for": "203.0.113.9" };
const BEHIND_PROXY = { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" };

/** A relay, and an operator's hand on its folder: another connection, as another process has. */
async function operated(settings: Record<string, string> = {}) {
  const relay = await RunningRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return { relay, admin: await handOn(relay.folder) };
}

function block(admin: Administration, text: string, isBlocked = true): Promise<boolean> {
  const subject = blockSubjectOf(text);
  if (subject === undefined) throw new Error(`${text} can be blocked.`);
  return admin.block(subject, isBlocked);
}

test("[AD1][AD3] a blocked network is refused in a running relay: calls, pages' calls, uploads and sockets", async () => {
  const { relay, admin } = await operated(BEHIND_PROXY);
  const { importer, token } = await relay.paired();
  const upload = await silentUpload(relay, token, FROM);
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`, {
    headers: { authorization: `Bearer ${importer.token}`, ...FROM },
  });
  await once(socket, "open");
  const closed = once(socket, "close");

  expect(await block(admin, "203.0.113.0/24")).toBe(true);
  expect(await block(admin, "203.0.113.77/24")).toBe(false);
  expect((await closed)[0]).toBe(4403);
  expect((await upload.answer).json.code).toBe("ADDRESS_BLOCKED");
  const codeOf = async (path: string, headers: Record<string, string> = FROM) =>
    (await relay.call("GET", path, { token, headers })).json?.code;
  for (const path of ["/app/me", "/importer/hello", "/nowhere", "/docs"]) {
    expect(await codeOf(path), path).toBe("ADDRESS_BLOCKED");
  }
  expect((await relay.call("GET", "/healthz", { headers: FROM })).status).toBe(200);
  expect((await relay.call("GET", "/readyz", { headers: FROM })).status).toBe(200);
  expect(await codeOf("/app/me", { "x-forwarded-for": "203.0.114.9" })).toBeUndefined();
  const again = new WebSocket(`${relay.url.replace("http", "ws")}/importer/socket`, {
    headers: { authorization: `Bearer ${importer.token}`, ...FROM },
  });
  expect(String((await once(again, "error"))[0])).toContain("403");

  expect(await block(admin, "203.0.113.0/24", false)).toBe(true);
  await soon(() => codeOf("/app/me")).toBeUndefined();
});

test("[AD1][AD4] a blocked device is refused: its apps, its importer, its socket, its transfers and its code", async () => {
  const { relay, admin } = await operated();
  const { importer, token } = await relay.paired();
  const other = await relay.paired();
  const id = await sendLong(relay, token);
  const { json: code } = await relay.call("POST", "/importer/pairing-code", {
    token: importer.token,
  });
  const socket = await openSocket(relay, importer.token);
  const closed = once(socket, "close");
  const download = await slowGet(relay, `/importer/packages/${id}/files/long.wav`, importer.token);
  const poll = relay.call("GET", `/packages/${id}/status?wait=30`, { token });
  const upload = await silentUpload(relay, token);

  expect(await block(admin, importer.deviceId)).toBe(true);
  expect((await closed)[0]).toBe(4403);
  expect((await upload.answer).json.code).toBe("DEVICE_BLOCKED");
  expect((await poll).json.code).toBe("DEVICE_BLOCKED");
  const { isWhole, sizeBytes } = await download.rest();
  expect(isWhole).toBe(false);
  expect(sizeBytes).toBeLessThan(longWav().length);
  const of = async (bearer: string, path: string) =>
    (await relay.call("GET", path, { token: bearer })).json.code;
  expect(await of(token, "/app/me")).toBe("DEVICE_BLOCKED");
  expect(await of(importer.token, "/importer/packages")).toBe("DEVICE_BLOCKED");
  expect(await of(other.token, "/app/me")).toBeUndefined();
  const claim = { code: code.code, app_name: "A", app_id: "late" };
  expect((await relay.call("POST", "/pair/claim", { body: claim })).json.code).toBe("CODE_UNKNOWN");

  await block(admin, importer.deviceId, false);
  await soon(() => of(token, "/app/me")).toBeUndefined();
});

test("[AD1][AD5] a denied sound is refused everywhere, its running upload ends, and its copies are deleted", async () => {
  const { relay, admin } = await operated();
  const { importer, token } = await relay.paired();
  const other = Buffer.from(smallWav({ frames: 77 }));
  const manifest = manifestOf({ "a.wav": WAV, "b.wav": other });
  const { upload, package_id: id } = await relay.announce(token, manifest);
  for (const [file, body] of [
    ["a.wav", WAV],
    ["b.wav", other],
  ] as const) {
    await relay.call("PUT", upload[file] ?? "", { token, body });
  }
  const begun = await relay.announce(token, manifest);
  await relay.call("PUT", begun.upload["a.wav"] ?? "", { token, body: WAV });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  const running = await silentUpload(relay, token);

  const denied = await admin.deny(SUM);
  expect(denied).toEqual({
    isNew: true,
    packages: [id, begun.package_id].toSorted(),
    files: 2,
    waiting: 0,
  });
  const answer = await running.answer;
  expect([answer.status, answer.json.code]).toEqual([422, "SOUND_DENIED"]);
  // At once, without waiting for the relay to notice: the other file of the package is the only one left.
  await soon(() => storedKeys(relay)).toHaveLength(1);

  const call = async (method: string, path: string, bearer: string, body?: object) =>
    (await relay.call(method, path, { token: bearer, ...(body && { body }) })).json;
  const { problems, ...refused } = await call("POST", "/packages", token, manifest);
  expect(problems).toEqual([refused]);
  expect(refused).toEqual({
    error: "Sound 1 \"a\": the relay's operator doesn't accept this sound.",
    code: "SOUND_DENIED",
    sound: "1",
    file: "a.wav",
    position: 1,
  });
  const take = await call("POST", `/importer/packages/${id}/take`, importer.token);
  expect(take.code).toBe("SOUND_DENIED");
  const get = await call("GET", `/importer/packages/${id}/files/a.wav`, importer.token);
  expect(get.code).toBe("SOUND_DENIED");
  const put = await relay.call("PUT", begun.upload["a.wav"] ?? "", { token, body: WAV });
  expect(put.json.code).toBe("SOUND_DENIED");
  await relay.call("PUT", begun.upload["b.wav"] ?? "", { token, body: other });
  expect((await call("POST", `/packages/${begun.package_id}/commit`, token)).code).toBe(
    "SOUND_DENIED",
  );
  const fetched = await relay.call("GET", `/importer/packages/${id}/files/b.wav`, importer);
  expect(fetched.status).toBe(200);
  await soon(async () => (await relay.status(token, id)).files["a.wav"]).toBe("missing");

  expect(await admin.allow(SUM)).toBe(true);
  expect((await relay.announce(token, manifest)).package_id).toMatch(/^pkg_/);
});

test("[AD5] a running download of a denied sound ends", async () => {
  const { relay, admin } = await operated();
  const { importer, token } = await relay.paired();
  const id = await sendLong(relay, token);
  const download = await slowGet(relay, `/importer/packages/${id}/files/long.wav`, importer.token);
  await admin.deny(createHash("sha256").update(longWav()).digest("hex"));
  // The relay has heeded the one before when it heeds this one.
  await admin.turn("claims", true);
  await soon(async () => (await relay.call("POST", "/pair/claim")).status).toBe(503);
  expect((await download.rest()).isWhole).toBe(false);
});

test("[AD6] switches refuse new work in a running relay, with the operator's own words, and let the rest go on", async () => {
  const { relay, admin } = await operated();
  const { importer, token } = await relay.paired();
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const own = "We are moving to another computer. Back at noon.";
  await admin.turn("registrations", true);
  await admin.turn("claims", true);
  await admin.turn("announcements", true, own);
  const announce = () => relay.call("POST", "/packages", { token, body: manifestOf(["b.wav"]) });
  await soon(async () => (await announce()).status).toBe(503);
  const refused = await announce();
  expect(refused.json).toEqual({ error: own, code: "ANNOUNCEMENTS_OFF" });
  expect(refused.headers.get("retry-after")).toBe("60");
  expect((await relay.call("POST", "/importer/register")).json.code).toBe("REGISTRATIONS_OFF");
  expect((await relay.call("POST", "/pair/claim")).json).toEqual({
    error: "The relay pairs no apps for now. Try again later.",
    code: "CLAIMS_OFF",
  });
  await relay.call("PUT", upload["a.wav"] ?? "", { token, body: WAV });
  expect((await relay.call("POST", `/packages/${id}/commit`, { token })).status).toBe(200);
  const take = await relay.call("POST", `/importer/packages/${id}/take`, importer);
  expect(take.status).toBe(200);

  await admin.turn("announcements", false);
  await soon(async () => (await announce()).status).toBe(201);
  expect((await relay.call("POST", "/importer/register")).status).toBe(503);
});

test("[AD1][AD7] what is revoked or purged ends in a running relay", async () => {
  const { relay, admin } = await operated();
  const { importer, token } = await relay.paired();
  const waiting = await relay.send(token);
  const { json } = await relay.call("GET", "/importer/apps", importer);
  const upload = await silentUpload(relay, token);
  const revoked = await admin.revoke(json.apps[0].pairing_id);
  expect(revoked).toBeDefined();
  expect((await upload.answer).status).toBe(401);
  await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(401);

  expect(await admin.purge(waiting)).toEqual({ files: 1, waiting: 0 });
  const list = async () => (await relay.call("GET", "/importer/packages", importer)).json.packages;
  await soon(list).toEqual([]);
  await soon(() => storedKeys(relay)).toEqual([]);
  expect(await admin.purge(waiting)).toBeUndefined();

  const socket = await openSocket(relay, importer.token);
  const closed = once(socket, "close");
  expect(await admin.revoke(importer.deviceId)).toEqual({ files: 0, waiting: 0 });
  expect((await closed)[0]).toBe(4401);
  await soon(async () => (await relay.call("GET", "/importer/apps", importer)).status).toBe(401);
});
