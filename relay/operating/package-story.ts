import { PING_SECONDS } from "../../core/limits.ts";
import { filesEndAt, isTaken, statusOf } from "../../core/protocol/package-state.ts";
import {
  DISMISSED,
  type PackageStatus,
  type SoundResult,
} from "../../core/protocol/package-status.ts";
import { countOf } from "../../core/text/count-of.ts";
import { timeText } from "../../core/time.ts";
import type { PackageRecord } from "../domain/ports.ts";

/** One event in a package's history, with its time in UTC. `expired` and `expires` are the end of its files. */
export interface StoryEvent {
  readonly at: string;
  readonly event:
    | "announced"
    | "arrived"
    | "committed"
    | "listed"
    | "taken"
    | "reported"
    | "expired"
    | "expires";
  /** The file that arrived. */
  readonly file?: string;
}

/** One sound of a package. */
export interface StorySound {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** `partly`: an upload in several calls has begun. `deleted`: the package's files are. */
  readonly state: "arrived" | "partly" | "missing" | "deleted";
  readonly arrived_at: string | null;
  readonly denied: boolean;
  readonly result: SoundResult | null;
}

/** A computer, as far as it explains why something did not arrive. */
export interface StoryDevice {
  readonly device_id: string;
  readonly device_name: string;
  readonly last_seen_at: string;
  /** True if its importer was seen in the last 90 s: a connected one is seen every 30 s. */
  readonly connected: boolean;
  readonly blocked: boolean;
  /** True if an operator revoked its token. */
  readonly revoked: boolean;
  /** The operator's own limits for it; null for the relay's. */
  readonly bytes_quota: number | null;
  readonly waiting_quota: number | null;
}

/** Everything on record about one package. */
export interface PackageStory {
  readonly package_id: string;
  readonly title: string;
  readonly status: PackageStatus;
  /** True while a run holds it. */
  readonly taken: boolean;
  readonly bytes: number;
  readonly app: {
    readonly app_id: string;
    readonly app_name: string;
    /** null if the app is unpaired by now. */
    readonly pairing_id: string | null;
  };
  readonly device: StoryDevice;
  readonly timeline: readonly StoryEvent[];
  readonly sounds: readonly StorySound[];
  /** Sentences that say where it is, and what keeps it there. */
  readonly explanations: readonly string[];
}

/** The rows that tell a package's story. */
export interface StoryFacts {
  readonly record: PackageRecord;
  /** File → time of its last arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Files that have arrived in part. */
  readonly partials: ReadonlyMap<string, unknown>;
  readonly seenAt: number | null;
  readonly denied: ReadonlySet<string>;
  readonly pairingId: string | null;
  readonly device: StoryDevice;
  /** Relay time. */
  readonly now: number;
}

/** Longest time between two signs of life of a connected importer: it is pinged, then a sweep stores that. */
const CONNECTED_MS = 3 * PING_SECONDS * 1000;

/** Checks whether an importer that was last seen then is connected now. */
export function isConnected(lastSeenAt: number, now: number): boolean {
  return now - lastSeenAt <= CONNECTED_MS;
}

/** Returns a package's history from its announcement to its report, and what explains its present state (rule AD12). */
export function storyOf(facts: StoryFacts): PackageStory {
  const { record, pairingId, device, now } = facts;
  const { packageId, manifest, life, appId, appName } = record;
  const sounds = soundsOf(facts);
  const status = statusOf(record, now);
  const taken = isTaken(life, now);
  return {
    package_id: packageId,
    title: manifest.title,
    status,
    taken,
    bytes: manifest.items.reduce((sum, { bytes }) => sum + bytes, 0),
    app: { app_id: appId, app_name: appName, pairing_id: pairingId },
    device,
    timeline: timelineOf(facts),
    sounds,
    explanations: [
      ...whereItIs(facts, { status, taken, sounds }),
      ...whatIsInTheWay(facts, { status, sounds }),
    ],
  };
}

function soundsOf({ record, arrivals, partials, denied }: StoryFacts): readonly StorySound[] {
  const { uploaded, results, filesDeleted } = record;
  const stateOf = (file: string) => {
    if (filesDeleted) return "deleted";
    if (uploaded.has(file)) return "arrived";
    return partials.has(file) ? "partly" : "missing";
  };
  return record.manifest.items.map(({ id, name, file, bytes, sha256 }) => {
    const arrivedAt = arrivals.get(file);
    return {
      id,
      name,
      file,
      bytes,
      sha256,
      state: stateOf(file),
      arrived_at: arrivedAt === undefined ? null : timeText(arrivedAt),
      denied: denied.has(sha256),
      result: results?.[id] ?? null,
    };
  });
}

function timelineOf({ record, arrivals, seenAt, now }: StoryFacts): readonly StoryEvent[] {
  const { createdAt, life, takenAt, reportedAt, filesDeleted } = record;
  const end = filesEndAt(life);
  const steps: readonly (readonly [number | null, StoryEvent["event"], string?])[] = [
    [createdAt, "announced"],
    ...Array.from(arrivals, ([file, at]) => [at, "arrived", file] as const),
    [life.committedAt, "committed"],
    [seenAt, "listed"],
    [takenAt, "taken"],
    [reportedAt, "reported"],
    [end, filesDeleted || now >= end ? "expired" : "expires"],
  ];
  return steps
    .flatMap(([at, event, file]) => (at === null ? [] : [{ at, event, file }]))
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, event, file }) => {
      const time = timeText(at);
      return file === undefined ? { at: time, event } : { at: time, event, file };
    });
}

interface Judged {
  readonly status: PackageStatus;
  readonly sounds: readonly StorySound[];
}

function whereItIs(
  { record, seenAt, device }: StoryFacts,
  { status, taken, sounds }: Judged & { readonly taken: boolean },
): readonly string[] {
  const lost = sounds.filter(({ state }) => state === "partly" || state === "missing");
  const lacks = `${countOf(lost.length, "file")} of ${sounds.length} missing: ${lost.map(({ file }) => file).join(", ")}.`;
  switch (status) {
    case "uploading":
      return lost.length > 0
        ? [`The app has not finished sending. ${lacks}`]
        : ["All files are here, but the app has not committed the package."];
    case "expired":
      return [
        record.life.committedAt === null
          ? "The app did not finish sending in time, so the package expired."
          : "Nobody imported it in time, so the package expired.",
      ];
    case "waiting": {
      if (taken) return ["An import is running."];
      const missing = lost.length > 0 ? [`It can't be imported whole. ${lacks}`] : [];
      if (record.takenAt !== null) {
        return ["An import began and never reported. It can be imported again.", ...missing];
      }
      if (seenAt !== null)
        return ["The computer has listed it. Nobody has imported it.", ...missing];
      return [`The computer has not listed it. ${formatPresence(device)}`, ...missing];
    }
    case "imported":
      return ["It was imported."];
    case "partial":
    case "failed":
      return sounds.length > 0 && sounds.every(({ result }) => result?.error === DISMISSED)
        ? ["Somebody dismissed it at the computer."]
        : [
            status === "partial"
              ? "Only some of its sounds were imported."
              : "None of its sounds was imported.",
          ];
  }
}

/** Says whether an importer is connected. */
function formatPresence({ connected }: StoryDevice): string {
  return connected ? "It was connected a moment ago." : "It is not connected now.";
}

function whatIsInTheWay({ pairingId, device }: StoryFacts, { sounds }: Judged): readonly string[] {
  const denied = sounds.filter((sound) => sound.denied).map(({ name }) => name);
  return [
    ...(device.blocked ? ["The computer is blocked."] : []),
    ...(device.revoked ? ["The computer's token is revoked: it must register again."] : []),
    ...(pairingId === null ? ["The app is no longer paired with this computer."] : []),
    ...(denied.length > 0
      ? [`The operator denies ${countOf(denied.length, "sound")}: ${denied.join(", ")}.`]
      : []),
  ];
}
