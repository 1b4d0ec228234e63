import type { Answer } from "../answer.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { smallSounds } from "../sounds.ts";

/** The files of that package; the short names of all but the first fit into an error. */
export const LIFE_FILES = ["first one.wav", "b.wav", "c.wav"] as const;
/** The id that its manifest sends. */
export const SENT_ID = "my-own.id";

/** A package of three sounds from the announcement to its withdrawal, and the answers on the way. */
export interface LifeStory {
  readonly made: TestPackage;
  readonly announced: Answer;
  /** A commit with one of the files there, and the status after it. */
  readonly refused: Answer;
  readonly afterRefused: Answer;
  /** The status with all files there, before the commit. */
  readonly uploaded: Answer;
  readonly committed: Answer;
  readonly waiting: Answer;
  readonly withdrawn: Answer;
}

/** Runs once for all its checks: a run of the public specification has few packages. */
export function lifeStory(kit: Kit): Promise<LifeStory> {
  return kit.share("life story", async () => {
    const made = await kit.uploading(smallSounds(...LIFE_FILES), { package_id: SENT_ID });
    const announced = await kit.status(made);
    for (const sound of made.sounds.slice(0, 1)) await kit.put(made, sound);
    const refused = await kit.commit(made);
    const afterRefused = await kit.status(made);
    for (const sound of made.sounds.slice(1)) await kit.put(made, sound);
    return {
      made,
      announced,
      refused,
      afterRefused,
      uploaded: await kit.status(made),
      committed: await kit.commit(made),
      waiting: await kit.status(made),
      withdrawn: await kit.withdraw(made),
    };
  });
}
