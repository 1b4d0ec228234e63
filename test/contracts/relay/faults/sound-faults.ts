import { setTimeout as sleep } from "node:timers/promises";
import type { SoundStore, SoundWriter } from "../../../../relay/domain/ports.ts";
import { type FaultOf, opening, replacing } from "./planted-fault.ts";

/** Longest wait for a call, because a call that a power cut ended may never settle. */
const MOST_WAIT_MS = 200;

/** Faults of a sound store. */
export const SOUND_FAULTS: readonly FaultOf<"sounds">[] = [
  {
    name: "finish before flush",
    port: "sounds",
    does: "Finished sounds are served from a cache, and reach the disk only later.",
    caughtBy: [
      "[J1] a finished sound survives a power cut",
      "[J1] each finished sound survives a power cut right after it",
    ],
    plant: (make) => async () => {
      const under = await make();
      const cache = new Map<string, CachedSound>();
      return replacing(under, {
        open: opening(under, (sounds) => finishingEarly(sounds, cache)),
        powerCut: async () => {
          await under.powerCut();
          // After a power cut nothing of a process may reach the store.
          const late = [...cache.values()].map(({ writer }) => writer.finish());
          await Promise.race([Promise.allSettled(late), sleep(MOST_WAIT_MS)]);
          cache.clear();
        },
        [Symbol.asyncDispose]: async () => {
          for (const { writer } of cache.values()) await writer.discard();
          await under[Symbol.asyncDispose]();
        },
      });
    },
  },
  {
    name: "key reused",
    port: "sounds",
    does: "A sound that is created under a key in use replaces the earlier one.",
    caughtBy: [
      "[J1] the key of a finished sound is not used again",
      "[J1] the key of a sound that is being written is not used again",
    ],
    plant: (make) => async () => {
      const under = await make();
      return replacing(under, { open: opening(under, overwriting) });
    },
  },
];

function overwriting(sounds: SoundStore): Partial<SoundStore> {
  return {
    create: async (key, announced) => {
      await sounds.delete([key]);
      return sounds.create(key, announced);
    },
  };
}

/** A sound that its writer considers finished, and the store unfinished. */
interface CachedSound {
  readonly bytes: Uint8Array;
  readonly writer: SoundWriter;
}

function finishingEarly(sounds: SoundStore, cache: Map<string, CachedSound>): Partial<SoundStore> {
  return {
    create: async (key, announced) => {
      const writer = await sounds.create(key, announced);
      const bytes = new Uint8Array(announced.bytes);
      let at = 0;
      return {
        write: (piece) => {
          bytes.set(piece, at);
          at += piece.length;
          return writer.write(piece);
        },
        finish: async () => void cache.set(key, { bytes, writer }),
        discard: () => writer.discard(),
      };
    },
    open: async (key, range) => {
      const cached = cache.get(key);
      if (cached === undefined) return sounds.open(key, range);
      return once(cached.bytes.slice(range.start, range.end + 1));
    },
    sizes: async (keys) => {
      const cached = keys.flatMap((key) => {
        const sound = cache.get(key);
        return sound === undefined ? [] : [[key, sound.bytes.length] as const];
      });
      return new Map([...(await sounds.sizes(keys)), ...cached]);
    },
    delete: async (keys, options) => {
      for (const key of keys) cache.delete(key);
      await sounds.delete(keys, options);
    },
  };
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}
