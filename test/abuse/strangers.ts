import { createHash } from "node:crypto";
import { smallWav } from "../wav-bytes.ts";
import { type HttpAnswer, httpCall } from "./http-call.ts";

/** A relay, as somebody outside knows it. */
export interface Target {
  readonly url: string;
}

/** A registered computer and an app that is paired with it. */
export interface Computer {
  readonly from: string | undefined;
  readonly deviceId: string;
  readonly importerToken: string;
  readonly appToken: string;
}

/** An address in a /64 of its own: `index` counts /64s, in /48s of 65,536 each. */
export function address6(index: number, site = 0): string {
  return `2001:db8:${(site + Math.floor(index / 65_536)).toString(16)}:${(index % 65_536).toString(16)}::1`;
}

/** An address in a /48 of its own. */
export function siteAddress(site: number): string {
  return address6(0, site);
}

/** Registers a computer. @throws {Error} if the relay refuses */
export async function register(relay: Target, from?: string) {
  const answer = expectStatus(
    await httpCall(relay, { path: "/importer/register", from, body: { device_name: "Studio" } }),
    201,
  );
  return {
    deviceId: String(answer.json["device_id"]),
    importerToken: String(answer.json["importer_token"]),
  };
}

/** Makes a pairing code. */
export async function makeCode(relay: Target, importerToken: string, from?: string) {
  const call = { method: "POST", path: "/importer/pairing-code", token: importerToken, from };
  return String(expectStatus(await httpCall(relay, call), 201).json["code"]);
}

interface ClaimOptions {
  readonly appId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export function claim(
  relay: Target,
  code: string,
  from?: string,
  { appId = "looper", headers = {}, timeoutMs = 60_000 }: ClaimOptions = {},
): Promise<HttpAnswer> {
  const body = { code, app_name: "Looper", app_id: appId };
  return httpCall(relay, { path: "/pair/claim", from, body, headers, timeoutMs });
}

/** Registers a computer and pairs an app with it, all from one address. */
export async function pairUp(relay: Target, from?: string): Promise<Computer> {
  const { deviceId, importerToken } = await register(relay, from);
  const appToken = await pairApp(relay, importerToken, from);
  return { from, deviceId, importerToken, appToken };
}

/** Pairs one more app with a computer. @returns the app's token */
export async function pairApp(
  relay: Target,
  importerToken: string,
  from?: string,
  appId?: string,
): Promise<string> {
  const code = await makeCode(relay, importerToken, from);
  const answer = expectStatus(
    await claim(relay, code, from, appId === undefined ? {} : { appId }),
    200,
  );
  return String(answer.json["app_token"]);
}

/** A small sound. */
export const WAV = smallWav();

/** A manifest of `count` sounds; without `sizeBytes` they are `WAV`. */
export function manifest(count = 1, sizeBytes = WAV.byteLength): Record<string, unknown> {
  const sha256 = createHash("sha256").update(WAV).digest("hex");
  return {
    schema: "app2host/1",
    title: "Abuse",
    source: { app: "Abuse" },
    items: Array.from({ length: count }, (_, index) => ({
      file: `sound-${index + 1}.wav`,
      bytes: sizeBytes,
      sha256,
    })),
  };
}

export function announce(relay: Target, { appToken, from }: Computer, body: unknown = manifest()) {
  return httpCall(relay, { path: "/packages", token: appToken, from, body });
}

/** Announces, uploads and commits a package of one small sound. @returns its id */
export async function sendSmall(relay: Target, computer: Computer): Promise<string> {
  const announced = expectStatus(await announce(relay, computer), 201);
  const id = String(announced.json["package_id"]);
  const { appToken: token, from } = computer;
  const path = `/packages/${id}/files/sound-1.wav`;
  expectStatus(await httpCall(relay, { method: "PUT", path, token, from, body: WAV }), 200);
  const commit = { method: "POST", path: `/packages/${id}/commit`, token, from };
  expectStatus(await httpCall(relay, commit), 200);
  return id;
}

/** @throws {Error} that says what was answered instead */
export function expectStatus(answer: HttpAnswer, status: number): HttpAnswer {
  if (answer.status === status) return answer;
  const text = answer.body.toString("utf8", 0, 200);
  throw new Error(`Answered ${answer.status} instead of ${status}: ${text}`);
}
