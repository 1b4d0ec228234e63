import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FetchFailure } from "../../../core/importer/fetch-failure.ts";
import type { Transport } from "../../../addon/runs/attempts.ts";
import { RelayError, RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
import { smallWav } from "../../wav-bytes.ts";
import { FILE, memoryDownload, SMALL } from "./memory-download.ts";
import { type Attempt, cutAfter, failWith, stallAfter, streamOf } from "./memory-source.ts";
import { noise } from "./sound-relay.ts";

const OTHER = noise(smallWav({ frames: 2000 }), 2);
const wrong: Attempt = ({ startByte }) => streamOf(OTHER, startByte);
const LONG = Buffer.concat([SMALL, Buffer.alloc(1)]);

/** A download from a relay, with what it tells the run. */
async function setUp() {
  const download = await memoryDownload();
  const told: number[] = [];
  const troubles: string[] = [];
  const transport: Transport = {
    noteBytes: (bytes) => told.push(bytes),
    noteSettled: () => undefined,
    noteTrouble: ({ message }) => troubles.push(message),
  };
  const receive = () => download.receive({ transport });
  const failure = () => receive().catch((error: unknown) => error);
  return { ...download, receive, failure, told, troubles };
}

test("[F3] a relay that sends wrong bytes is asked once more: a proxy may have changed them", async () => {
  const { path, receive, starts, attempt } = await setUp();
  attempt(wrong);
  await receive();
  expect(starts()).toEqual([0, 0]);
  expect(await readFile(path)).toEqual(SMALL);
  const twice = await setUp();
  twice.attempt(wrong, wrong);
  expect(await twice.failure()).toMatchObject({ code: "CHECKSUM_DIFFERS" });
  expect(await twice.files()).toEqual([]);
});

test("[F3] bytes of an earlier run are one more chance", async () => {
  const { fetch, failure, starts, attempt } = await setUp();
  const stop = new AbortController();
  attempt(stallAfter(1000));
  const onBytes = () => stop.abort(new Error("called off"));
  await expect(fetch({ signal: stop.signal, onBytes })).rejects.toThrow("called off");
  attempt(wrong, wrong, wrong, wrong);
  expect(await failure()).toMatchObject({ code: "CHECKSUM_DIFFERS" });
  expect(starts()).toEqual([0, 1000, 0, 0]);
});

test("[F3] a relay that sends more than the file has is trouble on the way, and asked again from the start", async () => {
  const { path, receive, troubles, attempt, starts } = await setUp();
  attempt(() => {
    const { body } = streamOf(LONG, 0);
    return { startByte: 0, fileBytes: SMALL.length, body };
  });
  await receive();
  expect(troubles).toEqual(["Kick.wav: the relay sent more than the file has."]);
  expect(starts()).toEqual([0, 0]);
  expect(await readFile(path)).toEqual(SMALL);
});

test("[F3] a part whose end isn't the file's is asked for again", async () => {
  const { receive, troubles, attempt } = await setUp();
  attempt(({ wav }) => ({ ...streamOf(wav, 0), bodyBytes: wav.length - 1 }));
  await receive();
  expect(troubles).toEqual(["Kick.wav: the relay sent another part than requested."]);
});

test("[R1] only bytes beyond the furthest point are new", async () => {
  const { receive, told, attempt } = await setUp();
  attempt(
    cutAfter(600),
    ({ wav }) => streamOf(wav, 0, 600),
    ({ wav }) => streamOf(wav, 0, 400),
    ({ wav }) => streamOf(wav, 0, 1000),
  );
  await receive();
  expect(told[0]).toBe(600);
  expect(told.reduce((sum, bytes) => sum + bytes, 0)).toBe(SMALL.length);
  expect(told.every((bytes) => bytes > 0)).toBe(true);
});

test("[R1] a sound that the relay refuses for good leaves no part, one that it can't send keeps it", async () => {
  const lost = new RelayError(404, "It is gone.", { code: "SOUND_LOST" });
  const { failure, files, attempt } = await setUp();
  attempt(cutAfter(1000), failWith(lost));
  expect(await failure()).toBeInstanceOf(FetchFailure);
  expect(await files()).toEqual([]);
  const away = await memoryDownload();
  const unreachable = failWith(new RelayUnreachableError("Nothing answers."));
  away.attempt(cutAfter(1000), ...Array.from({ length: 4 }, () => unreachable));
  expect(await away.failure()).toBeInstanceOf(FetchFailure);
  expect(await away.files()).toEqual([`${FILE}.part`]);
});
