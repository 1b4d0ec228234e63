import { createHash } from "node:crypto";
import { askRelay } from "../../../addon/relay/open-calls.ts";
import type { Credential } from "../../../addon/relay/http-connection.ts";
import { refusalIn } from "../../../addon/relay/relay-errors.ts";
import { hasTexts } from "../../../addon/relay/relay-answers.ts";
import { wavHeaderBytes } from "../../../core/audio/wav-header.ts";
import { OWN_NAME } from "./own-computer.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** One second of silence, which any proxy that compresses would compress. */
const FRAMES = 44_100;
const FILE = "silence.wav";

/** A package that waits for its import. */
export interface OwnPackage {
  readonly packageId: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
}

/** Announces, uploads and commits one small sound, as an app does. @throws {RelayError} when the relay refuses */
export async function sendOwnPackage(visit: Visit, app: Credential): Promise<OwnPackage> {
  const { http, signal } = visit;
  const bytes = silence();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const manifest = {
    schema: "app2host/1",
    title: OWN_NAME,
    source: { app: OWN_NAME },
    items: [{ file: FILE, bytes: bytes.byteLength, sha256, name: "Silence", kind: "oneshot" }],
  };
  const call = { method: "POST", to: app, signal };
  const announced = await askRelay(http, isAnnounced, {
    ...call,
    path: "/packages",
    body: manifest,
  });
  const { package_id: packageId } = announced;
  const path = `/packages/${encodeURIComponent(packageId)}`;
  await upload(visit, app, `${path}/files/${FILE}`, bytes);
  await askRelay(http, isAnnounced, { ...call, path: `${path}/commit` });
  return { packageId, file: FILE, bytes, sha256 };
}

async function upload(
  visit: Visit,
  { token }: Credential,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const answer = await probe(visit, {
    method: "PUT",
    path,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "audio/wav",
      "content-length": bytes.byteLength,
    },
    firstBytes: bytes,
  });
  if (answer === undefined) throw new Error("An upload was not answered in time.");
  if (answer.status !== 200) throw refusalIn(answer, new URL(visit.url).host);
}

function silence(): Uint8Array {
  const format = { encoding: "pcm", channels: 1, sampleRateHz: FRAMES, bitsPerSample: 16 } as const;
  const header = wavHeaderBytes(format, FRAMES);
  const bytes = new Uint8Array(header.byteLength + FRAMES * 2);
  bytes.set(header);
  return bytes;
}

function isAnnounced(body: unknown): body is { readonly package_id: string } {
  return hasTexts(body, "package_id");
}
