import { expect, test } from "vitest";
import { packageOf } from "../../../contracts/relay/records/sample-records.ts";
import { operatorWho } from "./operator-who.ts";

const DECISIONS = { addresses: [], devices: [], off: new Map(), hasKeys: false };

test("[AD5] denied sounds are looked up only while there are any", async () => {
  const { manifest } = packageOf("pkg_1");
  const [{ sha256 } = expect.unreachable()] = manifest.items;
  let deniesSounds = false;
  const asked: (readonly string[])[] = [];
  const operator = await operatorWho({
    readDecisions: async () => ({ ...DECISIONS, deniesSounds }),
    findDenied: async (sums) => {
      asked.push(sums);
      return new Set(sums);
    },
  });
  await operator.admitSounds(manifest);
  await operator.admitSound(manifest, "sound 1.wav");
  expect(asked).toEqual([]);
  deniesSounds = true;
  await operator.refresh();
  await expect(operator.admitSounds(manifest)).rejects.toMatchObject({ code: "SOUND_DENIED" });
  await expect(operator.admitSound(manifest, "sound 1.wav")).rejects.toMatchObject({
    code: "SOUND_DENIED",
  });
  expect(asked).toEqual([[sha256], [sha256]]);
});
