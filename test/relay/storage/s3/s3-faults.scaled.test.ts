import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { describe, expect, test, type TestContext } from "vitest";
import { openS3SoundStore } from "../../../../relay/storage/s3/s3-sound-store.ts";
import {
  assertWhole,
  MIB,
  sampleBytes,
  write,
} from "../../../contracts/relay/sounds/sounds-case.ts";
import { sharedSwift } from "../../../engines/shared-engines.ts";
import { HttpCutter } from "../../../sim/http-cutter.ts";

const KEY = "pkg_1/snd_1";
const SLOW_DOWN = {
  status: 503,
  body: "<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>",
} as const;
const FAILED_INSIDE = {
  status: 200,
  body: "<Error><Code>InternalError</Code><Message>We failed.</Message></Error>",
} as const;

async function openBucket({ onTestFinished }: TestContext) {
  const under = await faultyBucket();
  onTestFinished(() => under[Symbol.asyncDispose]());
  return under;
}

async function faultyBucket() {
  const swift = sharedSwift();
  const bucket = await swift.createBucket();
  const way = await HttpCutter.to(swift.endpoint);
  const { region, accessKeyId, secretAccessKey } = swift;
  const sounds = await openS3SoundStore({
    bucket,
    endpoint: way.url,
    region,
    accessKeyId,
    secretAccessKey,
    patience: { idleMs: 5_000 },
    onTrouble: () => {},
  });
  const client = swift.client();
  const dispose = async () => {
    client.destroy();
    await sounds[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
  };
  /** Lists the objects of the bucket, besides the instance. */
  const held = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return [...Contents, ...Uploads].map(({ Key }) => Key);
  };
  const start = async (size: number, key = KEY) => {
    const bytes = sampleBytes(size);
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
    const sha256 = Buffer.from(digest).toString("hex");
    return { bytes, writer: await sounds.create(key, { bytes: size, sha256 }) };
  };
  return { sounds, way, held, start, [Symbol.asyncDispose]: dispose };
}

const ONE_PUT = /^\/[^/]+\/sounds\/pkg_1\/snd_1/;

describe("a bucket whose service fails", () => {
  test("[SC11] the lost answers to one call are looked up", async (context) => {
    const { sounds, way, start } = await openBucket(context);
    const { bytes, writer } = await start(3 * MIB);
    way.failNext("PUT", ONE_PUT, "lose answer", 3);
    await write(writer, bytes);
    await writer.finish();
    await assertWhole(sounds, KEY, bytes);
  });

  test("[SC11][SC13] a call that carries bytes is repeated, wherever they are", async (context) => {
    const { sounds, way, start, held } = await openBucket(context);
    const { bytes, writer } = await start(12 * MIB);
    const broken = new Set<string>();
    way.fault = ({ method, path }) => {
      const kind = /segment-.*|partNumber=\d+/.exec(path)?.[0];
      if (kind === undefined || broken.has(method + kind)) return undefined;
      broken.add(method + kind);
      return method === "GET" ? { cutAfter: 1000 } : SLOW_DOWN;
    };
    await write(writer, bytes.subarray(0, MIB));
    await writer.suspend();
    const resumed = await sounds.resume(KEY);
    await write(resumed?.writer ?? writer, bytes.subarray(MIB));
    await resumed?.writer.finish();
    await assertWhole(sounds, KEY, bytes);
    expect(await held()).toEqual([`sounds/${KEY}`]);
    expect([...broken].map((kind) => kind.slice(0, 10)).toSorted()).toEqual([
      "GETsegment",
      "GETsegment",
      "PUTpartNum",
      "PUTpartNum",
      "PUTsegment",
      "PUTsegment",
    ]);
  });

  test("[SC24][Z4] a sound that is put aside leaves nothing of its writer behind, also if that was killed", async (context) => {
    const { sounds, way, held, start } = await openBucket(context);
    const { bytes, writer } = await start(3 * MIB);
    way.failNext("DELETE", /\/unfinished\//, SLOW_DOWN, 100);
    await write(writer, bytes);
    await writer.finish();
    expect(await held()).toHaveLength(2);
    way.fault = () => undefined;
    await sounds.quarantine([KEY], 1_700_000_000_000);
    expect(await held()).toEqual(["quarantine/pkg_1/snd_1/1700000000000"]);
  });

  test("[SC11] the lost answer to the end of many parts is looked up", async (context) => {
    const { sounds, way, start } = await openBucket(context);
    const { bytes, writer } = await start(10 * MIB);
    way.failNext("POST", /uploadId=/, "lose answer", 3);
    await write(writer, bytes);
    await writer.finish();
    await assertWhole(sounds, KEY, bytes);
  });

  test.each([
    ["cut", 3 * MIB, "PUT", { cutBodyAfter: MIB }],
    ["SlowDown", 3 * MIB, "PUT", SLOW_DOWN],
    ["silence", 3 * MIB, "PUT", "hang"],
    ["an error inside a 200", 10 * MIB, "POST", FAILED_INSIDE],
  ] as const)("[SC11] after %s the sound is not finished, and nothing is left", async (...args) => {
    const [, size, method, fault] = args;
    await using under = await faultyBucket();
    const { sounds, way, start, held } = under;
    const { bytes, writer } = await start(size);
    way.failNext(method, method === "PUT" ? ONE_PUT : /uploadId=/, fault, 3);
    const failure = await (async () => {
      await write(writer, bytes);
      await writer.finish();
    })().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "StoreTroubleError" });
    await writer.discard();
    expect((await sounds.sizes([KEY])).size).toBe(0);
    expect(await held()).toEqual([]);
  });

  test("[SC11][SC12] a refused sound was never an object, and leaves none", async (context) => {
    const { way, start, held } = await openBucket(context);
    for (const size of [3 * MIB, 10 * MIB]) {
      const { bytes, writer } = await start(size);
      await write(writer, bytes);
      await writer.discard();
      expect(await held()).toEqual([]);
    }
    expect(
      way.calls.filter(({ method, path }) => method === "HEAD" && ONE_PUT.test(path)),
    ).toHaveLength(2);
  });

  test("[SC13] of a suspended sound, only what is too short for a part is sent again", async (context) => {
    const { sounds, way, start, held } = await openBucket(context);
    const { bytes, writer } = await start(17 * MIB);
    await write(writer, bytes.subarray(0, 12 * MIB + 5));
    expect(await writer.suspend()).toBe(12 * MIB + 5);
    const resumed = await sounds.resume(KEY);
    expect(resumed?.storedBytes).toBe(12 * MIB + 5);
    await write(resumed?.writer ?? writer, bytes.subarray(12 * MIB + 5));
    await resumed?.writer.finish();
    await assertWhole(sounds, KEY, bytes);
    expect(await held()).toEqual([`sounds/${KEY}`]);
    expect(way.receivedBytes).toBeLessThan(17 * MIB + 5 * MIB);
  });

  test("[SC13] a sound whose end was cut off is finished later, and no upload is left", async (context) => {
    const { sounds, way, start, held } = await openBucket(context);
    const { bytes, writer } = await start(10 * MIB);
    await write(writer, bytes);
    way.fault = ({ path }) => (/[?&]uploadId=/.test(path) ? SLOW_DOWN : undefined);
    await expect(writer.finish()).rejects.toThrow("Reduce your rate");
    expect(await held()).toContain(`sounds/${KEY}`);
    way.fault = () => undefined;
    const resumed = await sounds.resume(KEY);
    expect(resumed?.storedBytes).toBe(bytes.length);
    await resumed?.writer.finish();
    await assertWhole(sounds, KEY, bytes);
    expect(await held()).toEqual([`sounds/${KEY}`]);
  });

  test("[SC13] all uploads hold 64 MiB, until the fullest ones are sent", async (context) => {
    const { start, held } = await openBucket(context);
    const piece = 64 * 1024;
    const uploads = await Promise.all(
      Array.from({ length: 20 }, (_, index) => start(7 * MIB, `pkg_1/snd_${index}`)),
    );
    let taken = 0;
    const waits: Promise<void>[] = [];
    for (const { writer } of uploads) {
      for (let at = 0; at < 6 * MIB; at += piece) {
        taken += piece;
        const wait = writer.write(new Uint8Array(piece));
        if (wait === undefined) continue;
        waits.push(wait);
        break;
      }
    }
    expect(waits.length).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(64 * MIB + waits.length * piece);
    await Promise.all(waits);
    await Promise.all(uploads.map(({ writer }) => writer.discard()));
    expect(await held()).toEqual([]);
  });

  test("[SC14] a bucket that takes wrong checksums is found out, and read back", async (context) => {
    const swift = sharedSwift();
    await using way = await HttpCutter.to(swift.endpoint);
    const bucket = await swift.createBucket();
    const troubles: string[] = [];
    const { region, accessKeyId, secretAccessKey } = swift;
    let probes = 0;
    way.fault = ({ method, path }) => {
      if (method !== "PUT" || !path.includes("soundferry-probe")) return undefined;
      probes += 1;
      return probes === 2 ? { status: 200, body: "" } : undefined;
    };
    const sounds = await openS3SoundStore({
      bucket,
      endpoint: way.url,
      region,
      accessKeyId,
      secretAccessKey,
      onTrouble: ({ message }) => troubles.push(message),
    });
    context.onTestFinished(() => sounds[Symbol.asyncDispose]());
    expect(troubles).toEqual([expect.stringContaining("whose checksum is wrong")]);
    const bytes = sampleBytes(1000);
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
    const sha256 = Buffer.from(digest).toString("hex");
    const writer = await sounds.create(KEY, { bytes: 1000, sha256 });
    await write(writer, bytes);
    await writer.finish();
    expect(
      way.calls.filter(({ method, path }) => method === "GET" && ONE_PUT.test(path)),
    ).toHaveLength(1);
  });
});
