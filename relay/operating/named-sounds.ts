import { BATCH } from "../domain/upkeep/batches.ts";
import { listNamedSounds, type NamedSound } from "../storage/records/named-sounds.ts";
import type { Work } from "../storage/records/statement.ts";

/** Lists the sounds of all packages, some packages at a time. @param read runs a read on the records */
export async function* namedSounds(
  read: <Result>(work: Work<Result>) => Result | Promise<Result>,
): AsyncGenerator<readonly NamedSound[]> {
  let after: string | null | undefined;
  while (after !== null) {
    const page = await read(listNamedSounds({ after, limit: BATCH }));
    yield page.sounds;
    after = page.next;
  }
}
