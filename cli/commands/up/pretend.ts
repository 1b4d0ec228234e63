import { setTimeout as sleep } from "node:timers/promises";
import type { BuildImporterOptions } from "../../../addon/build-importer.ts";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import type { RelayOptions } from "../../../relay/build-relay.ts";
import { resumesSounds, type SoundStore, type SoundWriter } from "../../../relay/domain/ports.ts";

/** The outcomes that `up --pretend` can bring about (rule K16). */
export const OUTCOMES = [
  "partial",
  "failed",
  "expired",
  "no-room",
  "slow",
  "rate-limited",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Time that a package waits with `--pretend expired`. */
const WAIT_SECONDS = 10;
/** Calls that an app may make a minute with `--pretend rate-limited`. */
const PRETENDED_CALLS = 6;
/** The most that a sender can upload in a second with `--pretend slow`. */
const SLOW_BYTES_PER_SECOND = 65_536;
/** The pause before each step of an import with `--pretend slow`. */
const SLOW_STEP_MS = 1000;

/** A sentence for the terminal on each outcome. */
export const OUTCOME_SENTENCES: Readonly<Record<Outcome, string>> = {
  partial: "The second sound of each package can't be imported. Send at least two.",
  failed: "No sound can be imported.",
  expired: `A package expires after ${WAIT_SECONDS} s. Nothing is imported.`,
  "no-room": "The relay has no room for sounds.",
  slow: `An upload gets ${SLOW_BYTES_PER_SECOND / 1024} KB a second, and each step of an import takes ${SLOW_STEP_MS / 1000} s.`,
  "rate-limited": `An app can make ${PRETENDED_CALLS} calls a minute.`,
};

/** The relay's settings that bring an outcome about, as in the environment. */
export const OUTCOME_SETTINGS: Readonly<
  Partial<Record<Outcome, Readonly<Record<string, string>>>>
> = {
  expired: { SOUNDFERRY_WAIT_WINDOW_S: String(WAIT_SECONDS) },
  "no-room": { SOUNDFERRY_BYTES_PER_DEVICE: "1" },
};

const FAULTS: Readonly<Partial<Record<Outcome, PreviewFaults>>> = {
  partial: { failsClip: (nth) => nth === 2 },
  failed: { failsClip: () => true },
  slow: { beforeCall: () => sleep(SLOW_STEP_MS) },
};

/**
 * Returns what the importer of `up --pretend` is built of: the preview itself fails or is slow, so that import, report
 * and status go their usual way. Nothing without an outcome.
 */
export async function pretendAtHost(
  outcome: Outcome | undefined,
  previewSession: string,
): Promise<Partial<Pick<BuildImporterOptions, "host" | "autoImport" | "pretends">>> {
  if (outcome === undefined) return {};
  const { PreviewHost } = await import("../../../addon/hosts/preview/preview-host.ts");
  return {
    host: new PreviewHost(previewSession, { faults: FAULTS[outcome] ?? {} }),
    pretends: outcome,
    ...(outcome === "expired" && { autoImport: false }),
  };
}

/** Returns how the relay of `up --pretend` differs, besides its settings. */
export function pretendAtRelay(
  outcome: Outcome | undefined,
): Pick<RelayOptions, "aroundSounds" | "appCallsPerMinute"> {
  if (outcome === "slow") return { aroundSounds: slowedDown };
  return outcome === "rate-limited" ? { appCallsPerMinute: PRETENDED_CALLS } : {};
}

/** Slows down the writers of a store, so that senders feel backpressure. */
function slowedDown(store: SoundStore): SoundStore {
  const create = store.create.bind(store);
  Object.assign(store, {
    create: async (...args: Parameters<SoundStore["create"]>) => slowWriter(await create(...args)),
  });
  if (resumesSounds(store)) {
    const resume = store.resume.bind(store);
    Object.assign(store, {
      resume: async (key: string) => {
        const resumed = await resume(key);
        return resumed && { ...resumed, writer: slowWriter(resumed.writer) };
      },
    });
  }
  return store;
}

function slowWriter<Writer extends SoundWriter>(writer: Writer): Writer {
  const write = writer.write.bind(writer);
  return Object.assign(writer, {
    write: async (piece: Uint8Array) => {
      await sleep((piece.byteLength / SLOW_BYTES_PER_SECOND) * 1000);
      await write(piece);
    },
  });
}
