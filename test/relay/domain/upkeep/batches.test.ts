import { expect, test } from "vitest";
import { BATCH, batchesOf, inBatches } from "../../../../relay/domain/upkeep/batches.ts";
import { gather } from "../../storage/disk/stored-sounds.ts";

test.each([0, 1, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH, 2 * BATCH + 1])(
  "%i items come in whole batches and a rest, in their order",
  async (count) => {
    const items = Array.from({ length: count }, (_, at) => at);
    const arriving = async function* () {
      yield* items;
    };
    for (const batches of [[...batchesOf(items)], await gather(inBatches(arriving()))]) {
      expect(batches.flat()).toEqual(items);
      expect(batches.slice(0, -1).every(({ length }) => length === BATCH)).toBe(true);
      expect(batches).toHaveLength(Math.ceil(count / BATCH));
    }
  },
);
