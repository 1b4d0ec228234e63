import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { longWav, partBytes, PartialFile } from "./partial-calls.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";

const MIB = 1024 ** 2;

describe("a file that is sent in parts", () => {
  test("[U10] what came stays when the connection breaks", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay, longWav(5 * MIB));
    const slow = file.slowPatch(0);
    slow.write(file.wav.subarray(0, 4 * MIB));
    await soon(() => partBytes(relay)).toBeGreaterThan(MIB);
    slow.abort();
    await soon(() => relay.relay.context.admission.budget("uploads").used).toBe(0);
    const offset = Number((await file.head()).headers.get("upload-offset"));
    expect(offset).toBeGreaterThan(MIB);
    expect((await file.patch(offset)).status).toBe(200);
  });

  test("[U10] HEAD ends an append whose connection is half open, and keeps its bytes", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay, longWav(5 * MIB));
    const slow = file.slowPatch(0);
    slow.write(file.wav.subarray(0, 4 * MIB));
    await soon(() => partBytes(relay)).toBeGreaterThan(MIB);
    const offset = Number((await file.head()).headers.get("upload-offset"));
    expect(offset).toBeGreaterThan(MIB);
    expect(await slow.answer).toMatchObject({ status: 409, json: { code: "UPLOAD_REPLACED" } });
    expect(await file.offset()).toBe(`204 ${offset} ?0`);
    expect((await file.patch(offset)).status).toBe(200);
  });

  test("[U10] a PUT that succeeds ends it; one that is refused doesn't", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    await file.patch(0, 700);
    expect((await file.put(smallWav({ frames: 1000, fill: 9 }))).json.code).toBe(
      "CHECKSUM_DIFFERS",
    );
    expect(await file.offset()).toBe("204 700 ?0");
    const slow = file.slowPatch(700);
    await soon(() => relay.relay.context.admission.budget("uploads").used).toBe(1);
    expect((await file.put()).status).toBe(200);
    expect(await slow.answer).toMatchObject({ status: 409, json: { code: "UPLOAD_REPLACED" } });
    expect(await file.offset()).toBe(`204 ${file.wav.byteLength} ?1`);
    expect(await storedKeys(relay)).toHaveLength(1);
  });

  test("[U10] another app neither sees nor ends it", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const { token: stranger } = await relay.paired();
    const slow = file.slowPatch(0);
    await soon(() => relay.relay.context.admission.budget("uploads").used).toBe(1);
    expect((await file.head(stranger)).status).toBe(404);
    expect((await file.patch(0, 700, { token: stranger })).json.code).toBe("PACKAGE_UNKNOWN");
    slow.write(file.wav);
    slow.end();
    expect((await slow.answer).status).toBe(200);
  });
});
