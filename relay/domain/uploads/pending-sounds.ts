import {
  type Ports,
  quarantines,
  type QuarantiningSoundStore,
  type SoundKeys,
  type StoreUpkeep,
} from "../ports.ts";

const BATCH = 200;

/**
 * Dooms the keys that were pending until `time` or earlier: their uploads are over (rule J2). A finished sound among
 * them isn't deleted for that, but quarantined (rule Z4): in an older copy of the database even an acknowledged one
 * may be pending. Stores without a quarantine can't keep it.
 * @param since relay time, for the quarantine, and for partials, which outlive their uploads (rule U10)
 */
export async function endPending(
  { soundKeys, sounds, upkeep }: Pick<Ports, "soundKeys" | "sounds" | "upkeep">,
  time: number,
  since: number,
): Promise<void> {
  if (upkeep !== undefined && quarantines(sounds)) {
    await keepFinished({ soundKeys, sounds, upkeep }, time, since);
  }
  await soundKeys.doomPending(time, since);
}

async function keepFinished(
  stores: {
    readonly soundKeys: SoundKeys;
    readonly sounds: QuarantiningSoundStore;
    readonly upkeep: StoreUpkeep;
  },
  time: number,
  since: number,
): Promise<void> {
  const { soundKeys, sounds, upkeep } = stores;
  let after: string | undefined;
  for (;;) {
    const keys = await upkeep.listPending({
      until: time,
      partialsUntil: since,
      after,
      limit: BATCH,
    });
    if (keys.length === 0) return;
    after = keys.at(-1);
    const finished = [...(await sounds.exists(keys))];
    if (finished.length === 0) continue;
    // In this order: a crash in between leaves sounds that no record knows, and none to delete.
    await soundKeys.strike(finished);
    // An upload may have become part of its package in the meantime.
    await sounds.quarantine(await upkeep.findUnknown(finished), since);
  }
}
