import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { bigManifest } from "./big-wav.ts";
import type { Child } from "./child.ts";
import type { SenderCalls } from "./processes/sender.ts";

/** A paired app, with its token for calls that the client does not make. */
export interface PairedApp {
  readonly client: SoundferryClient;
  readonly token: string;
}

/** Pairs an app with the computer whose importer shows this code. */
export async function pairApp(relayUrl: string, code: string): Promise<PairedApp> {
  const tokenStore = new MemoryTokenStore();
  const client = new SoundferryClient({ relayUrl, tokenStore });
  await client.pair(code, { name: "Bench", id: "bench" });
  return { client, token: (await tokenStore.load()) ?? "" };
}

/** Registers a computer without an importer and pairs an app with it. */
export async function pairAlone(relayUrl: string): Promise<PairedApp> {
  const post = async (path: string, token: string): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(relayUrl + path, { method: "POST", headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const device = await post("/importer/register", "");
  const { code } = await post("/importer/pairing-code", String(device["importer_token"]));
  return pairApp(relayUrl, String(code));
}

/** Announces a package, uploads all of its sounds at once, and commits it. Returns its id. */
export async function sendPackage(
  { client, token }: PairedApp,
  sender: Child<SenderCalls>,
  {
    url,
    manifest,
    sizeBytes,
  }: {
    /** The relay's. */
    readonly url: string;
    readonly manifest: ReturnType<typeof bigManifest>;
    /** Bytes of each sound. */
    readonly sizeBytes: number;
  },
): Promise<string> {
  const { package_id: packageId, upload } = await client.announce(manifest);
  const urls = Object.values(upload).map((path) => url + path);
  await sender.call("upload", { urls, token, sizeBytes });
  await client.commit(packageId);
  return packageId;
}
