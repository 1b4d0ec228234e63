import { access, mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bigManifest } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone } from "../paired-app.ts";
import type { Usage } from "../processes/answer-calls.ts";
import type { BareUploadCalls } from "../processes/bare-upload.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { TusServerCalls } from "../processes/tus-server.ts";
import { missingForNginx, startNginx } from "./nginx.ts";
import type { Target } from "./uploaders.ts";

export interface PeerOptions {
  /** A folder of the bench. */
  readonly folder: string;
  readonly sizeBytes: number;
  readonly stack: AsyncDisposableStack;
  /** Another checkout of this project; undefined if none is given. */
  readonly before: string | undefined;
  /** The folder whose `node_modules` has @tus/server; undefined for this project's. */
  readonly tus: string | undefined;
}

/** A server that takes uploads. */
export interface Peer {
  readonly name: string;
  /** Its work for an upload. */
  readonly does: string;
  /** The wanted ratio of this relay's speed to the peer's; undefined if it is only quoted. */
  readonly wanted?: number;
  /** Starts it. Resolves with a sentence if it isn't there. */
  readonly start: (options: PeerOptions) => Promise<Started | string>;
}

interface Started {
  /** Makes a place for one upload. */
  readonly next: () => Promise<Target>;
  /** Removes what was uploaded. */
  readonly clear: () => Promise<void>;
  /** Reads what its process has used; undefined if that isn't known. */
  readonly usage: () => Promise<Usage | undefined>;
}

const PROCESSES = "test/bench/processes";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export const THIS: Peer = {
  name: "this relay",
  does: "hashes, judges the WAV, flushes file, folder and record",
  start: (options) => startRelay("this", options),
};

export const PEERS: readonly Peer[] = [
  {
    name: "relay before",
    does: "the relay of --before",
    wanted: 1.3,
    start: async ({ before, ...options }) =>
      before === undefined
        ? "not given; --before <checkout>"
        : startRelay("before", { ...options, before }, join(resolve(before), PROCESSES)),
  },
  {
    name: "nginx",
    does: "PUT; neither hashes nor flushes",
    start: startNginxPeer,
  },
  {
    name: "@tus/server",
    does: "PATCH into its file store; neither hashes nor flushes",
    wanted: 1.5,
    start: startTus,
  },
  {
    name: "bare loop",
    does: "node:http that hashes, writes piece by piece, flushes file and folder",
    start: startBare,
  },
];

async function startRelay(
  name: string,
  { folder, sizeBytes, stack }: PeerOptions,
  processes?: string,
): Promise<Started> {
  if (processes !== undefined) await access(join(processes, "relay.ts"));
  const options = {
    logPath: join(folder, `${name}.log`),
    ...(processes !== undefined && { folder: processes }),
  };
  const relay = stack.use(new Child<RelayCalls>("relay", options));
  const { url } = await relay.call("start", { dataFolder: join(folder, `relay-${name}`) });
  const { client, token } = await pairAlone(url);
  const manifest = bigManifest(1, sizeBytes);
  let packageId = "";
  return {
    next: async () => {
      const announced = await client.announce(manifest);
      packageId = announced.package_id;
      const path = Object.values(announced.upload).join("");
      return { url: url + path, headers: { authorization: `Bearer ${token}` } };
    },
    clear: () => client.withdraw(packageId).then(() => undefined),
    usage: () => relay.usage(),
  };
}

async function startNginxPeer({ stack }: PeerOptions): Promise<Started | string> {
  const missing = missingForNginx();
  if (missing !== undefined) return missing;
  const nginx = stack.use(await startNginx());
  let count = 0;
  return {
    next: async () => ({ url: `${nginx.url}/${(count += 1)}.wav` }),
    clear: () => empty(join(nginx.folder, "files")),
    usage: async () => undefined,
  };
}

const TUS = { "tus-resumable": "1.0.0" };

async function startTus({
  folder,
  sizeBytes,
  stack,
  tus = ROOT,
}: PeerOptions): Promise<Started | string> {
  const place = join(folder, "tus");
  await mkdir(place);
  const server = stack.use(new Child<TusServerCalls>("tus-server"));
  const started = await server
    .call("start", { folder: place, installed: resolve(tus) })
    .catch(notInstalled);
  if (typeof started === "string") return started;
  return {
    next: async () => {
      const headers = { ...TUS, "upload-length": String(sizeBytes) };
      const made = await fetch(started.url, { method: "POST", headers });
      const url = made.headers.get("location");
      if (url === null) throw new Error(`@tus/server answered ${made.status}.`);
      const piece = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
      return { url, method: "PATCH", headers: { ...TUS, ...piece } };
    },
    clear: () => empty(place),
    usage: () => server.usage(),
  };
}

function notInstalled(error: unknown): string {
  if (!/Cannot find module '@tus\/(server|file-store)'/.test(String(error))) throw error;
  return "not installed; npm install --no-save @tus/server @tus/file-store";
}

async function startBare({ folder, stack }: PeerOptions): Promise<Started> {
  const place = join(folder, "bare");
  await mkdir(place);
  const bare = stack.use(new Child<BareUploadCalls>("bare-upload"));
  const { url } = await bare.call("start", { folder: place });
  return {
    next: async () => ({ url }),
    clear: async () => {},
    usage: () => bare.usage(),
  };
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}
