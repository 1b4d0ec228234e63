import { setTimeout as sleep } from "node:timers/promises";
import type { RelayOptions } from "../../../../relay/build-relay.ts";
import {
  resumesSounds,
  type SoundStore,
  type SoundWriter,
} from "../../../../relay/domain/ports.ts";
import { type Outcome, PRETENDED_CALLS, SLOW_BYTES_PER_SECOND } from "./outcomes.ts";

/** How the relay of `up --pretend` differs, beside its settings. */
export function pretendAtRelay(
  outcome: Outcome | undefined,
): Pick<RelayOptions, "aroundSounds" | "appCallsPerMinute"> {
  if (outcome === "slow") return { aroundSounds: slowedDown };
  return outcome === "rate-limited" ? { appCallsPerMinute: PRETENDED_CALLS } : {};
}

/** The same store, whose writers take their time: the senders feel it as backpressure. */
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
