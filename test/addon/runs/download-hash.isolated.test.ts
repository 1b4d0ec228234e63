import { createHash, type Hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { hashHere } from "../../../program/hashing/hash-here.ts";
import type { StartHash } from "../../../core/audio/running-hash.ts";
import { startHash } from "../../../program/hashing/start-hash.ts";
import { smallWav } from "../../wav-bytes.ts";
import { memoryDownload, SMALL } from "./memory-download.ts";
import { type Attempt, streamOf } from "./memory-source.ts";
import { noise } from "./sound-relay.ts";

/** 3 MB, in pieces of 1,000,000 bytes. */
const LARGE = noise(smallWav({ frames: 1_500_000 }), 1);
const PIECE_BYTES = 1_000_000;

test("[F3] a large sound is hashed off the event loop, as it comes and as it lies there", async () => {
  const { fetch, receive, starts } = await memoryDownload(LARGE);
  const here = vi.spyOn(Object.getPrototypeOf(createHash("sha256")) as Hash, "update");
  onTestFinished(() => void vi.restoreAllMocks());
  await receive({ startHash });
  const again = await fetch({ startHash });
  expect(here).not.toHaveBeenCalled();
  expect(starts()).toEqual([0]);
  const sha256 = createHash("sha256").update(LARGE).digest("hex");
  expect(again.digest).toEqual({ bytes: LARGE.length, sha256 });
});

/** Sends a sound piece by piece, and counts the pieces that were asked for. */
function inPieces(): { readonly attempt: Attempt; readonly asked: () => number } {
  let asked = 0;
  const attempt: Attempt = ({ wav, startByte }) => {
    async function* send() {
      for (let start = startByte; start < wav.length; start += PIECE_BYTES) {
        asked += 1;
        yield new Uint8Array(wav.subarray(start, start + PIECE_BYTES));
      }
    }
    return { startByte, fileBytes: wav.length, body: send() };
  };
  return { attempt, asked: () => asked };
}

test("[F3] a download asks for no further piece while its hash is behind", async () => {
  const { receive, attempt, path } = await memoryDownload(LARGE);
  const pieces = inPieces();
  attempt(pieces.attempt);
  const [isBehind, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: StartHash = (bytes) => {
    const running = hashHere(bytes);
    const update = async (piece: Uint8Array) => {
      isBehind.resolve();
      await goOn.promise;
      await running.update(piece);
    };
    return { update, hex: () => running.hex() };
  };
  const received = receive({ startHash: slow });
  await isBehind.promise;
  // Whatever is queued in this turn runs before the next.
  await new Promise((resolve) => setImmediate(resolve));
  expect(pieces.asked()).toBe(1);
  goOn.resolve();
  await received;
  expect(await readFile(path)).toEqual(LARGE);
});

/** Hashes that are lost at their n-th call, as when their thread ends. */
function losingAt(call: number): StartHash {
  return (bytes) => {
    const running = hashHere(bytes);
    let [calls, isLost] = [0, false];
    const count = () => {
      calls += 1;
      isLost ||= calls >= call;
      if (isLost) throw new Error("The thread has ended.");
    };
    return {
      get isLost() {
        return isLost;
      },
      update(piece) {
        count();
        return running.update(piece);
      },
      async hex() {
        count();
        return running.hex();
      },
    };
  };
}

test.each([
  ["at its first piece", 1, [0, 0]],
  ["in the middle", 3, [0, 2 * PIECE_BYTES]],
  ["at its end", 5, [0]],
])("[F3] a sound whose hash is lost %s is read and hashed again", async (_, call, from) => {
  const { receive, attempt, path, starts, pauses } = await memoryDownload(LARGE);
  attempt(inPieces().attempt, inPieces().attempt);
  await receive({ startHash: losingAt(call) });
  expect(await readFile(path)).toEqual(LARGE);
  expect(starts()).toEqual(from);
  expect(pauses).toEqual([]);
});

test("[F3] a lost hash lets no wrong byte through", async () => {
  const { failure, attempt, receive, files } = await memoryDownload(SMALL);
  const wrong: Attempt = ({ startByte }) =>
    streamOf(noise(smallWav({ frames: 2000 }), 2), startByte);
  attempt(wrong);
  const lost = receive({ startHash: losingAt(2) }).catch((error: unknown) => error);
  expect(await lost).toMatchObject({ code: "CHECKSUM_DIFFERS" });
  expect(await files()).toEqual([]);
  expect(await failure()).not.toBeInstanceOf(Error);
});
