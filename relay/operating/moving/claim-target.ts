import { holdsSounds } from "../../domain/upkeep/bind-stores.ts";
import { COPIED_TABLES } from "../../storage/records/copy.ts";
import { type CopyState, readTarget } from "../../storage/records/copy-state.ts";
import type { MoveStores } from "./move-stores.ts";

/**
 * Claims a target for a move, or finds out how far the move has come. From then on its records are bound to the relay's
 * instance, and its sounds get the id only at the end: no relay starts on them meanwhile (rule Z1).
 * @throws {Error} a sentence if it holds another relay's data, or this relay's since it moved there before
 */
export async function claimTarget(
  { records: { engine }, sounds, place }: MoveStores,
  { id, instanceId }: { readonly id: string; readonly instanceId: string },
): Promise<CopyState> {
  const refuse = (sentence: string) => new Error(`${place}: ${sentence}`);
  const soundsInstance = await sounds.readInstance();
  if (soundsInstance !== undefined && soundsInstance !== instanceId) {
    throw refuse(
      `The sound store there belongs to another relay (${soundsInstance}). Choose an empty place.`,
    );
  }
  const { instanceId: found, state, isUsed } = await engine.read(readTarget());
  if (found !== undefined && found !== instanceId) {
    throw refuse(`The database there belongs to another relay (${found}). Choose an empty one.`);
  }
  if (state?.id === id) return state;
  const isDone = found !== undefined && (state === undefined || state.at === "done");
  if (soundsInstance !== undefined || isDone) {
    throw refuse(
      "This relay's data is there already, and may have served apps since. Choose an empty place.",
    );
  }
  // Rows of an earlier attempt are copied once more.
  if (state === undefined && isUsed) {
    throw refuse("The database there already has records of a relay. Choose an empty one.");
  }
  if (state === undefined && (await holdsSounds(sounds))) {
    throw refuse("There are already sounds. Choose an empty place.");
  }
  const begun: CopyState = { id, at: COPIED_TABLES[0] ?? "done" };
  await engine.change("beginCopy", { state: begun, instanceId });
  return begun;
}
