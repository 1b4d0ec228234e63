import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bigManifest, writeLibrary } from "../big-wav.ts";
import { Child } from "../child.ts";
import { pairAlone, pairApp, sendPackage } from "../paired-app.ts";
import type { Calls } from "../processes/answer-calls.ts";
import type { ImporterCalls } from "../processes/importer.ts";
import type { LibraryCalls } from "../processes/library.ts";
import type { LoadCalls } from "../processes/load.ts";
import type { RelayCalls } from "../processes/relay.ts";
import type { SenderCalls } from "../processes/sender.ts";

/** A kind of work whose costs can be divided by its amount. */
export interface Subject {
  readonly name: string;
  /** The words for one of it. */
  readonly unit: string;
  /** Numbers of rounds, and of units in each, for counting its costs. */
  readonly work: { readonly warmUps: number; readonly rounds: number; readonly units: number };
  /** Starts the processes that do the work. */
  readonly open: (options: OpenOptions) => Promise<OpenSubject>;
}

export interface OpenOptions {
  /** An empty folder. */
  readonly folder: string;
  /** True to let the processes count their calls. */
  readonly isCounted: boolean;
  /** True for calls over many connections at once; one after another, they always cost the same. */
  readonly isBusy: boolean;
  /** Receives all that is to be disposed. */
  readonly stack: AsyncDisposableStack;
}

/** The processes whose costs count, by name. */
export type Processes = Readonly<Record<string, Child<object>>>;

export interface OpenSubject {
  readonly processes: Processes;
  /** Prepares so many units. Resolves with the work itself. */
  readonly prepare: (units: number) => Promise<() => Promise<unknown>>;
}

/** Bytes of an upload or import. */
export const SOUND_BYTES = 16_000_000;
const IMPORTED_SOUNDS = 4;
const NOTICED_BYTES = 4096;
const LIBRARY_PACKAGES = 50;
/** Few, as apps announce: a relay counts those of the last hour. */
const PACKAGES_OF_APP = 30;
const SMALL = { sounds: 8, bytes: 1024 };

/** The same rounds in every run: databases and memories grow with them. */
const WORK = {
  few: { warmUps: 2, rounds: 8, units: 1 },
  some: { warmUps: 2, rounds: 4, units: 10 },
  many: { warmUps: 4, rounds: 4, units: 300 },
  most: { warmUps: 4, rounds: 4, units: 2000 },
};

export const SUBJECTS: readonly Subject[] = [
  { name: "upload", unit: "upload of 16 MB", work: WORK.few, open: openUpload },
  { name: "import", unit: "import of 4 sounds of 4 MB", work: WORK.few, open: openImport },
  { name: "status", unit: "status call for 8 sounds", work: WORK.most, open: openStatus },
  { name: "announce", unit: "announcement of 8 sounds", work: WORK.many, open: openAnnounce },
  { name: "notice", unit: "commit until the importer lists it", work: WORK.some, open: openNotice },
  { name: "library", unit: "package of 8 sounds, laid out", work: WORK.many, open: openLibrary },
];

/** Work that depends on the time that passes: it is only profiled. */
export const IDLE: Subject = {
  name: "idle",
  unit: "second of relay and importer",
  work: WORK.few,
  open: openIdle,
};

function starter({ folder, isCounted, stack }: OpenOptions) {
  return <Api extends Calls<Api>>(file: string) =>
    stack.use(new Child<Api>(file, { logPath: join(folder, `${file}.log`), isCounted }));
}

async function openUpload(options: OpenOptions): Promise<OpenSubject> {
  const start = starter(options);
  const relay = start<RelayCalls>("relay");
  const sender = start<SenderCalls>("sender");
  const { url } = await relay.call("start", { dataFolder: join(options.folder, "relay") });
  const { client, token } = await pairAlone(url);
  const manifest = bigManifest(1, SOUND_BYTES);
  const announced: string[] = [];
  return {
    processes: { relay },
    prepare: async (units) => {
      for (const packageId of announced.splice(0)) await client.withdraw(packageId);
      const urls: string[] = [];
      for (let index = 0; index < units; index += 1) {
        const { package_id: packageId, upload } = await client.announce(manifest);
        announced.push(packageId);
        urls.push(url + Object.values(upload).join(""));
      }
      return async () => {
        for (const one of urls) {
          await sender.call("upload", { urls: [one], token, sizeBytes: SOUND_BYTES });
        }
      };
    },
  };
}

/** A relay with an importer and a paired app. */
async function openPair(options: OpenOptions) {
  const { folder } = options;
  const start = starter(options);
  const relay = start<RelayCalls>("relay");
  const importer = start<ImporterCalls>("importer");
  const { url } = await relay.call("start", { dataFolder: join(folder, "relay") });
  const { code } = await importer.call("start", { relayUrl: url, folder });
  const app = await pairApp(url, code);
  return { start, relay, importer, url, app };
}

async function openImport(options: OpenOptions): Promise<OpenSubject> {
  const { folder } = options;
  const { start, relay, importer, url, app } = await openPair(options);
  const sender = start<SenderCalls>("sender");
  const sizeBytes = SOUND_BYTES / IMPORTED_SOUNDS;
  const manifest = bigManifest(IMPORTED_SOUNDS, sizeBytes);
  return {
    processes: { relay, importer },
    prepare: async (units) => {
      // Each round starts with no sounds and an empty session.
      await rm(join(folder, "sounds", "Bench"), { recursive: true, force: true });
      await rm(join(folder, "preview.json"), { force: true });
      const ids: string[] = [];
      for (let index = 0; index < units; index += 1) {
        ids.push(await sendPackage(app, sender, { url, manifest, sizeBytes }));
        await importer.call("untilListed", { packageId: ids.at(-1) ?? "" });
      }
      return async () => {
        for (const packageId of ids) await importer.call("import", { packageId });
      };
    },
  };
}

async function openStatus(options: OpenOptions): Promise<OpenSubject> {
  const start = starter(options);
  const relay = start<RelayCalls>("relay");
  const load = start<LoadCalls>("load");
  const { url } = await relay.call("start", { dataFolder: join(options.folder, "relay") });
  const { client, token } = await pairAlone(url);
  const { package_id: id } = await client.announce(bigManifest(SMALL.sounds, SMALL.bytes));
  const job = {
    url: `${url}/packages/${id}/status`,
    token,
    connections: options.isBusy ? 20 : 1,
  };
  return {
    processes: { relay },
    prepare: async (amount) => () => load.call("get", { ...job, amount }),
  };
}

async function openAnnounce(options: OpenOptions): Promise<OpenSubject> {
  const start = starter(options);
  const relay = start<RelayCalls>("relay");
  const load = start<LoadCalls>("load");
  const { url } = await relay.call("start", { dataFolder: join(options.folder, "relay") });
  const manifest = bigManifest(SMALL.sounds, SMALL.bytes);
  const connections = options.isBusy ? 32 : 1;
  return {
    processes: { relay },
    prepare: async (amount) => {
      const tokens: string[] = [];
      for (let left = amount; left > 0; left -= PACKAGES_OF_APP) {
        tokens.push((await pairAlone(url)).token);
      }
      return () => load.call("announce", { url, tokens, manifest, connections, amount });
    },
  };
}

async function openNotice(options: OpenOptions): Promise<OpenSubject> {
  const { start, relay, importer, url, app } = await openPair(options);
  const sender = start<SenderCalls>("sender");
  const manifest = bigManifest(1, NOTICED_BYTES);
  const { client, token } = app;
  const sent: string[] = [];
  return {
    processes: { relay, importer },
    prepare: async (units) => {
      for (const packageId of sent.splice(0)) {
        await client.withdraw(packageId);
        await importer.call("untilGone", { packageId });
      }
      for (let index = 0; index < units; index += 1) {
        const { package_id: packageId, upload } = await client.announce(manifest);
        const urls = [url + Object.values(upload).join("")];
        await sender.call("upload", { urls, token, sizeBytes: NOTICED_BYTES });
        sent.push(packageId);
      }
      return async () => {
        for (const packageId of sent) {
          const listed = importer.call("untilListed", { packageId });
          await client.commit(packageId);
          await listed;
        }
      };
    },
  };
}

async function openLibrary(options: OpenOptions): Promise<OpenSubject> {
  const layout = starter(options)<LibraryCalls>("library");
  const root = join(options.folder, "library");
  await writeLibrary(root, { packages: LIBRARY_PACKAGES, ...SMALL });
  return {
    processes: { layout },
    prepare: async (units) => async () => {
      for (let read = 0; read < units;) read += await layout.call("read", { root });
    },
  };
}

async function openIdle(options: OpenOptions): Promise<OpenSubject> {
  const { relay, importer } = await openPair(options);
  return { processes: { relay, importer }, prepare: async (units) => () => sleep(units * 1000) };
}
