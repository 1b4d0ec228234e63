import type { Context } from "../../../relay/domain/context.ts";
import type {
  PackageRecords,
  SoundKeys,
  SoundStore,
  SoundWriter,
} from "../../../relay/domain/ports.ts";
import type { UseCases } from "./use-cases.ts";

interface Faults {
  readonly sounds?: Partial<SoundStore>;
  readonly packages?: Partial<PackageRecords>;
  readonly soundKeys?: Partial<SoundKeys>;
}

/** The same stores seen by a process some of whose calls go wrong; other processes see them as they are. */
export function withFaults<Cases extends UseCases>(cases: Cases, faults: Faults): Cases {
  const { sounds, packages, soundKeys } = cases.context;
  const context: Context = {
    ...cases.context,
    sounds: {
      create: (key, announced) => sounds.create(key, announced),
      open: (key, range) => sounds.open(key, range),
      sizes: (keys) => sounds.sizes(keys),
      list: () => sounds.list(),
      delete: (keys, options) => sounds.delete(keys, options),
      room: () => sounds.room(),
      ...faults.sounds,
    },
    packages: { ...packages, ...faults.packages },
    soundKeys: { ...soundKeys, ...faults.soundKeys },
  };
  return { ...cases, context };
}

/** A store's `create`, whose writers have some of their calls replaced. */
export function createWith(
  { context: { sounds } }: UseCases,
  replace: (writer: SoundWriter) => Partial<SoundWriter>,
): SoundStore["create"] {
  return async (key, announced) => {
    const writer = await sounds.create(key, announced);
    return {
      write: (piece) => writer.write(piece),
      finish: () => writer.finish(),
      discard: () => writer.discard(),
      ...replace(writer),
    };
  };
}

/** A moment at which a process dies: a call that reaches it never returns. */
export function death() {
  const reached = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    die: (): Promise<never> => {
      reached.resolve();
      return new Promise(() => {});
    },
  };
}
