import type { DatabaseSync } from "node:sqlite";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callingApp } from "../../../../relay/domain/caller.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import type { KnownApp } from "../../../../relay/domain/pairing/known-tokens.ts";
import { removeDevice } from "../../../../relay/domain/pairing/devices.ts";
import { unpairApp, unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { appendSound, readOffset } from "../../../../relay/domain/uploads/append-sound.ts";
import { receiveSound } from "../../../../relay/domain/uploads/receive-sound.ts";
import { endPending } from "../../../../relay/domain/upkeep/doomed-sounds.ts";
import { lookForUnknown } from "../../../../relay/domain/upkeep/quarantine.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { toRefusal } from "../../../../relay/http/answer-refusal.ts";
import { Administration } from "../../../../relay/operating/administer.ts";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { NODE_FILES } from "../../../../relay/storage/disk/sound-files.ts";
import { HOUR } from "../../../contracts/relay/records/sample-records.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { contextOf } from "../../../sim/context-of.ts";
import { SteppedCalls } from "../../../sim/stepped-calls.ts";
import { SetClock } from "../../set-clock.ts";
import { emptyInMemory, recordsIn } from "../sqlite-in-memory.ts";
import { announced, pairedApp } from "../use-cases.ts";
import { SOUND } from "./open-append.ts";

const ADDRESS = "192.0.2.1";
const FILE = "kick.wav";
/** Number of bytes of the first part. */
const PART = 400;

/** The calls that are counted: those of a relay to its stores, or also those of its sound store to the disk. */
export type Depth = "ports" | "files";

/** The answer to an upload's call. */
export interface Answered {
  /** 200 for any success. */
  readonly status: number;
  /** Number of the file's bytes that it names, if it does. */
  readonly offset?: number | undefined;
}

/** One caller of the relay: a call to its stores waits where its steps say so. */
interface Caller {
  readonly context: Context;
  /** Deletes as `soundferry admin erase` does. */
  readonly erase: () => Promise<unknown>;
}

/** One relay with a computer, an app and an announced sound, which two callers use at once. */
export class RacedRelay implements AsyncDisposable {
  readonly #clock = new SetClock();
  readonly #database: DatabaseSync;
  readonly #folder: string;
  readonly #depth: Depth;
  #files = { ...NODE_FILES, beingWritten: new Set<string>() };
  #context: Context;
  #app: KnownApp | undefined;
  #packageId = "";

  private constructor(folder: string, depth: Depth) {
    this.#database = emptyInMemory();
    this.#folder = folder;
    this.#depth = depth;
    this.#context = this.#start();
  }

  static async open(depth: Depth): Promise<RacedRelay> {
    const folder = await mkdtemp(join(tmpdir(), "soundferry-race-"));
    await mkdir(join(folder, "sounds"));
    const relay = new RacedRelay(folder, depth);
    const cases = { context: relay.#context, clock: relay.#clock, notified: [] };
    const use = Object.assign(cases, { [Symbol.asyncDispose]: async () => {} });
    relay.#app = await pairedApp(use);
    const manifest = manifestOf({ [FILE]: SOUND });
    relay.#packageId = (await announced(use, relay.#app, manifest)).package_id;
    return relay;
  }

  /** A part of the file that arrived before. */
  async begin(): Promise<void> {
    await UPLOADS["PATCH of the first part"]?.(this, new SteppedCalls());
  }

  /** The uploading app. */
  get app(): KnownApp {
    if (this.#app === undefined) throw new Error("The relay is open.");
    return this.#app;
  }

  get packageId(): string {
    return this.#packageId;
  }

  /** The upload window ends. */
  expire(): void {
    this.#clock.time += HOUR;
  }

  /** The relay as a caller uses it, whose calls these are. */
  caller(calls: SteppedCalls): Caller {
    const { pairings, packages, soundKeys, upkeep, notifier } = this.#context;
    if (upkeep === undefined) throw new Error("SQLite has it.");
    const inFolder = (files = this.#files) => DiskSoundStore.openReadOnly(this.#folder, files);
    const sounds =
      this.#depth === "ports"
        ? calls.of("sounds", inFolder())
        : inFolder(calls.of("files", this.#files));
    const context: Context = {
      ...this.#context,
      sounds,
      pairings: calls.of("pairings", pairings),
      packages: calls.of("packages", packages),
      soundKeys: calls.of("soundKeys", soundKeys),
      upkeep: calls.of("upkeep", upkeep),
      notifier: {
        notify: async (...notification) => {
          await calls.pass("before notifier.notify");
          await notifier.notify(...notification);
        },
        listen: (topic, listener) => notifier.listen(topic, listener),
        missed: () => notifier.missed(),
      },
    };
    const erase = async (): Promise<void> => {
      const other = recordsIn(this.#database);
      const records = {
        packages: calls.of("packages", other.packages),
        soundKeys: calls.of("soundKeys", other.soundKeys),
        upkeep: calls.of("upkeep", other.upkeep),
        engine: calls.of("engine", other.engine),
      };
      const stores = { records, sounds };
      const disposable = Object.assign(stores, { [Symbol.asyncDispose]: async () => {} });
      const admin = new Administration(disposable, { who: "anna", wall: () => this.#clock.time });
      // The relay would notice within a second. Nothing of what it remembers may count until then.
      await admin.erase(this.app.deviceId);
    };
    return { context, erase };
  }

  /** Starts another process on the same stores, after the one before was killed. It looks for what that left. */
  async restart(): Promise<void> {
    this.#files = { ...NODE_FILES, beingWritten: new Set() };
    this.#context = this.#start();
    await endPending(this.#context, Number.MAX_SAFE_INTEGER, this.#clock.confirmedNow());
    await sweep(this.#context);
    await lookForUnknown(this.#context);
  }

  /** Returns false once its package, or the files of that, are ordered to be deleted. */
  async hasPackage(): Promise<boolean> {
    const record = await this.#context.packages.find(this.#packageId);
    return record?.filesDeleted === false;
  }

  /** Everything of the file that is still there: rows, files, room. Empty once the deletion is whole. */
  async left(): Promise<readonly string[]> {
    const rows = (from: string) =>
      this.#database
        .prepare(`SELECT * FROM ${from}`)
        .all()
        .map((row) => `${from}: ${JSON.stringify(row)}`);
    const names = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    return [
      ...rows("partials"),
      ...rows("sound_keys"),
      ...rows("packages WHERE files_deleted = 0"),
      ...rows("packages WHERE room_held_until > 0 OR partial_bytes > 0"),
      ...rows("room_counts WHERE bytes > 0"),
      ...rows("app_counts WHERE reserved_bytes > 0 OR stored_bytes > 0"),
      ...files.map((entry) => join(entry.parentPath, entry.name).slice(this.#folder.length)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #start(): Context {
    const { engine: _engine, ...records } = recordsIn(this.#database);
    const sounds = DiskSoundStore.openReadOnly(this.#folder, this.#files);
    return contextOf({ ...records, sounds, clock: this.#clock });
  }
}

type Act = (relay: RacedRelay, calls: SteppedCalls) => Promise<Answered>;

/** The ways to send a file, or to ask how far it has arrived. */
export const UPLOADS: Readonly<Record<string, Act>> = {
  PUT: (relay, calls) =>
    answered(async () => {
      await receiveSound(relay.caller(calls).context, {
        ...bodyOf(relay, calls),
        contentLength: SOUND.length,
      });
    }),
  "PATCH of the first part": (relay, calls) => append(relay, calls, 0, PART),
  "PATCH of the last part": (relay, calls) => append(relay, calls, PART, SOUND.length),
  "PATCH of the whole": (relay, calls) => append(relay, calls, 0, SOUND.length),
  HEAD: (relay, calls) =>
    answered(async () => {
      const { app, packageId } = relay;
      const { context } = relay.caller(calls);
      return (await readOffset(context, { app, packageId, file: FILE })).offset;
    }),
};

/** The uploads that continue one that has begun. */
export const CONTINUES: ReadonlySet<string> = new Set(["PATCH of the last part", "HEAD"]);

/** The ways in which a package goes. */
export const DELETIONS: Readonly<
  Record<string, (relay: RacedRelay, calls: SteppedCalls) => Promise<unknown>>
> = {
  withdrawal: (relay, calls) => withdraw(relay.caller(calls).context, relay.app, relay.packageId),
  "unpairing by the app": (relay, calls) => unpairToken(relay.caller(calls).context, relay.app),
  "unpairing by the person": (relay, calls) =>
    unpairApp(relay.caller(calls).context, relay.app.deviceId, relay.app.pairingId),
  "removal of the computer": (relay, calls) =>
    removeDevice(relay.caller(calls).context, relay.app.deviceId),
  erasure: (relay, calls) => relay.caller(calls).erase(),
  expiry: (relay, calls) => {
    relay.expire();
    return sweep(relay.caller(calls).context);
  },
};

function append(
  relay: RacedRelay,
  calls: SteppedCalls,
  offset: number,
  end: number,
): Promise<Answered> {
  const isLast = end === SOUND.length;
  const body = bodyOf(relay, calls, SOUND.subarray(offset, end));
  const { context } = relay.caller(calls);
  return answered(async () => (await appendSound(context, { ...body, offset, isLast })).offset);
}

/** An upload in two pieces. The caller can be held before each. */
function bodyOf({ app, packageId }: RacedRelay, calls: SteppedCalls, bytes: Uint8Array = SOUND) {
  const body = async function* (ended: AbortSignal): AsyncIterable<Uint8Array> {
    for (const piece of [bytes.slice(0, 60), bytes.slice(60)]) {
      await calls.pass("before a piece");
      ended.throwIfAborted();
      yield piece;
    }
  };
  const caller = callingApp(app, ADDRESS);
  return { app, caller, packageId, file: FILE, contentLength: undefined, body };
}

async function answered(act: () => Promise<number | void>): Promise<Answered> {
  try {
    return { status: 200, offset: (await act()) ?? undefined };
  } catch (error) {
    const { status, extras } = toRefusal(error);
    const offset = extras.headers?.["Upload-Offset"] ?? extras.headers?.["upload-offset"];
    return { status, offset: offset === undefined ? undefined : Number(offset) };
  }
}
