import type { SoundStore } from "../../../../relay/domain/ports.ts";
import type { ContractCase, StoreUnderTest } from "../contract.ts";

/** A sound store for one case. */
export interface SoundStoreUnderTest<
  Sounds extends SoundStore = SoundStore,
> extends StoreUnderTest<Sounds> {
  /**
   * Cuts the power: ends every instance, closes what its writers hold open, and drops everything that no
   * resolved call made durable. What calls that are still running do then doesn't matter, as long as it doesn't
   * reach the store. The next `open` finds what a machine would find that starts again.
   */
  powerCut(): Promise<void>;
}

/** Makes an empty sound store for one case. */
export type MakeSoundStore<Sounds extends SoundStore = SoundStore> = () => Promise<
  SoundStoreUnderTest<Sounds>
>;

/** One promise of a sound store, before it is known which store. */
export interface SoundsCase<Sounds extends SoundStore = SoundStore> {
  readonly title: string;
  readonly run: (under: SoundStoreUnderTest<Sounds>) => Promise<void>;
}

/** A case for one instance. After a power cut it opens the next one itself. */
export function one<Sounds extends SoundStore = SoundStore>(
  title: string,
  run: (sounds: Sounds, under: SoundStoreUnderTest<Sounds>) => Promise<void>,
): SoundsCase<Sounds> {
  return { title, run: async (under) => run(await under.open(), under) };
}

/** A case for two instances on one store, like two processes. */
export function two<Sounds extends SoundStore = SoundStore>(
  title: string,
  run: (first: Sounds, second: Sounds, under: SoundStoreUnderTest<Sounds>) => Promise<void>,
): SoundsCase<Sounds> {
  return { title, run: async (under) => run(await under.open(), await under.open(), under) };
}

/** The same cases on a store of their own each. */
export function onSoundStore<Sounds extends SoundStore>(
  make: MakeSoundStore<Sounds>,
  cases: readonly SoundsCase<Sounds>[],
): readonly ContractCase[] {
  return cases.map(({ title, run }) => ({
    title,
    run: async () => {
      await using under = await make();
      await run(under);
    },
  }));
}
