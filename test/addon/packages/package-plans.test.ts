import { expect, test } from "vitest";
import { readHeaders } from "../../../addon/packages/package-plans.ts";
import { type PackageSource, relayPackage } from "../../../addon/packages/package-source.ts";
import { SoundRelay } from "../runs/sound-relay.ts";
import { smallWav } from "../../wav-bytes.ts";

const NEVER = new AbortController().signal;
const HEADER_BYTES = 44;

async function setUp(wavs: readonly Buffer[]) {
  const relay = new SoundRelay();
  const sounds = wavs.map((wav, index) => ({ name: `Sound ${index}`, wav }));
  const offered = relay.offer("pkg_a", "Kit", sounds);
  return { relay, source: relayPackage(offered, relay.port()) };
}

/** Returns a WAV with a meaningless chunk of `bytes` before its audio. */
function lateWav(bytes: number): Buffer {
  const wav = smallWav();
  const junk = Buffer.alloc(8 + bytes);
  junk.write("JUNK", 0, "latin1");
  junk.writeUInt32LE(bytes, 4);
  const late = Buffer.concat([wav.subarray(0, 36), junk, wav.subarray(36)]);
  late.writeUInt32LE(late.length - 8, 4);
  return late;
}

test("[N6] a sound is read no further than its header", async () => {
  const { relay, source } = await setUp([smallWav()]);
  // More than the header never comes.
  relay.spoil("pkg_a-1.wav", { stallAfter: HEADER_BYTES });
  expect((await readHeaders(source, NEVER)).get("1")).toMatchObject({ frames: 100 });
});

test("[N6] four sounds are open at the same time, and no more", async () => {
  const { source } = await setUp(Array.from({ length: 9 }, () => smallWav()));
  const four = Promise.withResolvers<void>();
  let open = 0;
  let most = 0;
  const counted: PackageSource = {
    ...source,
    open: async (sound, options) => {
      open += 1;
      most = Math.max(most, open);
      if (open === 4) four.resolve();
      const stream = await source.open(sound, options);
      return { ...stream, body: whenFour(stream.body) };
    },
  };
  async function* whenFour(body: AsyncIterable<Uint8Array>) {
    await four.promise;
    try {
      yield* body;
    } finally {
      open -= 1;
    }
  }
  const headers = await readHeaders(counted, NEVER);
  expect([...headers.values()].filter((header) => "frames" in header)).toHaveLength(9);
  expect(most).toBe(4);
});

test("[N6] reads a header after 4 MB of other chunks, but not after 10 MB", async () => {
  const { source } = await setUp([lateWav(4_000_000), lateWav(10_000_000)]);
  const headers = await readHeaders(source, NEVER);
  expect(headers.get("1")).toMatchObject({ frames: 100 });
  expect(headers.get("2")).toEqual({
    error: expect.stringMatching(/its header is too long to preview before the import\.$/),
  });
});

test.each([
  ["is cut off", { cutAfter: 20 }],
  ["has trouble", { status: 500 }],
  ["wants fewer calls", { status: 429 }],
])("[N6] a relay that %s fails the whole read, not single sounds", async (_, fault) => {
  const { relay, source } = await setUp([smallWav(), smallWav()]);
  relay.spoil("pkg_a-2.wav", fault);
  await expect(readHeaders(source, NEVER)).rejects.toThrow();
  expect((await readHeaders(source, NEVER)).get("2")).toMatchObject({ frames: 100 });
});

test("[N6] stops on abort", async () => {
  const { relay, source } = await setUp([smallWav()]);
  relay.spoil("pkg_a-1.wav", { stallAfter: 10 });
  const controller = new AbortController();
  const reading = readHeaders(source, controller.signal);
  controller.abort(new Error("Called off."));
  await expect(reading).rejects.toThrow("Called off.");
});
