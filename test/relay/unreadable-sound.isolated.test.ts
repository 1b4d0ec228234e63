import { failCalls } from "../sim/faulty-disk.ts";
import { expect, test } from "vitest";
import { checkRelay } from "../../relay/operating/check.ts";
import { soundsIn, relayWithSounds } from "./operating/backed-up-relay.ts";

const deep = { begin: () => {}, compared: () => {} };

test("[Z16] a sound that the disk can't read is found and quarantined, and the others are not", async () => {
  const { relay, token } = await relayWithSounds();
  const dataFolder = relay.folder;
  const [bad = ""] = await soundsIn(dataFolder);
  const [packageId = ""] = bad.split("/");
  using _disk = failCalls({ call: "read", code: "EIO", at: bad });
  const found = await checkRelay({ dataFolder }, { deep, isRepairing: true });
  expect(found.differing).toMatchObject([{ key: bad, found: "unreadable" }]);
  expect(await soundsIn(dataFolder)).not.toContain(bad);
  expect(Object.values((await relay.status(token, packageId)).files)).toContain("missing");
  expect((await checkRelay({ dataFolder }, { deep })).differing).toEqual([]);
});
