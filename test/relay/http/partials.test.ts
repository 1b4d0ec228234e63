import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import {
  INTEROP,
  longWav,
  offsetOf,
  partBytes,
  PartialFile,
  partHeaders,
} from "./partial-calls.ts";
import { storedKeys } from "./stored-keys.ts";
import { soon } from "../../sim/soon.ts";

const MIB = 1024 ** 2;

describe("a file that is sent in parts", () => {
  test("[U10] arrives whole, and each answer says how far it came", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const { wav } = file;
    expect(await file.offset()).toBe("204 0 ?0");
    const first = await file.patch(0, 700);
    expect([offsetOf(first), first.text]).toEqual(["204 700 ?0", ""]);
    expect(await file.offset()).toBe("204 700 ?0");
    const last = await file.patch(700);
    expect(offsetOf(last)).toBe(`200 ${wav.byteLength} ?1`);
    expect(last.json).toEqual({
      file: "a.wav",
      bytes: wav.byteLength,
      sha256: createHash("sha256").update(wav).digest("hex"),
    });
    expect(await file.offset()).toBe(`204 ${wav.byteLength} ?1`);
    const { files } = await relay.status(file.token, file.packageId);
    expect(files).toEqual({ "a.wav": "uploaded" });
    expect(await storedKeys(relay)).toHaveLength(1);
  });

  test("[U10] HEAD tells the limits and is never cached", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const { headers } = await file.head();
    expect(headers.get("upload-length")).toBe(String(file.wav.byteLength));
    const limit = `^max-size=${file.wav.byteLength}, min-size=0, max-age=3[56]\\d\\d$`;
    expect(headers.get("upload-limit")).toMatch(new RegExp(limit));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("upload-draft-interop-version")).toBe("8");
  });

  test("[U10] OPTIONS tells the largest file", async () => {
    await using relay = await RunningRelay.start();
    const { status, headers } = await relay.call("OPTIONS", "/packages/x/files/a.wav");
    expect([status, headers.get("upload-limit")]).toEqual([204, "max-size=209715200, min-size=0"]);
  });

  test("[U10] a part that begins elsewhere is 409 with the right offset", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    await file.patch(0, 700);
    for (const wrong of [0, 699, 701, 2 ** 49]) {
      const answer = await file.patch(wrong, wrong + 5, { body: new Uint8Array(5) });
      expect(offsetOf(answer)).toBe("409 700 ?0");
      expect(answer.json).toEqual({
        error: "a.wav: continue at byte 700.",
        code: "UPLOAD_OFFSET_DIFFERS",
        sound: "1",
        file: "a.wav",
        position: 1,
        type: "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
        "expected-offset": 700,
        "provided-offset": wrong,
      });
    }
    expect(offsetOf(await file.patch(700))).toBe(`200 ${file.wav.byteLength} ?1`);
    expect(offsetOf(await file.patch(700))).toBe(`409 ${file.wav.byteLength} ?1`);
  });

  test("[U10] the last part can be sent again, and a finished file gets no more", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const size = file.wav.byteLength;
    await file.patch(0);
    expect(offsetOf(await file.patch(size, size, { body: new Uint8Array() }))).toBe(
      `200 ${size} ?1`,
    );
    const more = await file.patch(size, size, { body: new Uint8Array(1) });
    expect([more.status, more.json.code]).toEqual([422, "SIZE_DIFFERS"]);
    expect(await file.offset()).toBe(`204 ${size} ?1`);
  });

  test("[U10] all bytes can be there before the part that completes them", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const size = file.wav.byteLength;
    expect(offsetOf(await file.patch(0, size, { complete: "?0" }))).toBe(`204 ${size} ?0`);
    expect(await file.offset()).toBe(`204 ${size} ?0`);
    expect(offsetOf(await file.patch(size, size))).toBe(`200 ${size} ?1`);
  });

  test("[U10] size, header and checksum are judged as for PUT, and the file starts again", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const { wav } = file;
    const size = wav.byteLength;
    const code = async (call: ReturnType<PartialFile["patch"]>) => {
      const { status, json } = await call;
      return [status, json.code, await file.offset(), (await storedKeys(relay)).length];
    };
    await file.patch(0, 700);
    const tooLong = file.patch(700, size, { body: new Uint8Array(size) });
    expect(await code(tooLong)).toEqual([422, "SIZE_DIFFERS", "204 0 ?0", 0]);
    await file.patch(0, 700);
    const tooShort = file.patch(700, 800, { complete: "?1" });
    expect(await code(tooShort)).toEqual([422, "SIZE_DIFFERS", "204 0 ?0", 0]);
    await file.patch(0, 700);
    const wrong = file.patch(700, size, { body: new Uint8Array(size - 700) });
    expect(await code(wrong)).toEqual([422, "CHECKSUM_DIFFERS", "204 0 ?0", 0]);
    const noWav = file.patch(0, 700, { body: Buffer.alloc(700, 1) });
    expect(await code(noWav)).toEqual([422, "WAV_NOT_RIFF", "204 0 ?0", 0]);
    expect(offsetOf(await file.patch(0))).toBe(`200 ${size} ?1`);
  });

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

  test("[U10] says what is wrong with a call", async () => {
    await using relay = await RunningRelay.start();
    const file = await PartialFile.announce(relay);
    const call = async (method: string, headers: Record<string, string>) => {
      const { token, path } = file;
      const body = method === "HEAD" ? {} : { body: file.wav };
      const { status, json } = await relay.call(method, path, { token, headers, ...body });
      return [status, json?.code];
    };
    expect(await call("HEAD", {})).toEqual([400, undefined]);
    const version = { "upload-draft-interop-version": "6" };
    for (const headers of [version, { "upload-draft-interop-version": "" }]) {
      const sent = { ...partHeaders(0, "?1"), ...headers };
      expect(await call("PATCH", sent)).toEqual([400, "UPLOAD_VERSION_UNKNOWN"]);
    }
    for (const type of ["audio/wav", "application/partial-uploads"]) {
      const sent = { ...partHeaders(0, "?1"), "content-type": type };
      expect(await call("PATCH", sent)).toEqual([415, "UPLOAD_TYPE_WRONG"]);
    }
    for (const offset of ["-1", "x", "", "1.5", String(2 ** 53), "9".repeat(16), "0, 0"]) {
      const sent = partHeaders(offset, "?1");
      expect(await call("PATCH", sent), offset).toEqual([400, "UPLOAD_HEADERS_WRONG"]);
    }
    for (const complete of ["", "1", "true", "?2"]) {
      expect(await call("PATCH", partHeaders(0, complete))).toEqual([400, "UPLOAD_HEADERS_WRONG"]);
    }
    expect(await call("HEAD", INTEROP)).toEqual([204, undefined]);
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
