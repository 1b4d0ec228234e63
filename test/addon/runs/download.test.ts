import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FetchFailure } from "../../../core/importer/fetch-failure.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { RelayError } from "../../../core/importer/relay-errors.ts";
import { smallWav } from "../../wav-bytes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { FILE, memoryDownload as setUp, SMALL } from "./memory-download.ts";
import { cutAfter, failWith, stallAfter, streamOf } from "./memory-source.ts";
import { noise } from "./sound-relay.ts";

/** More than a piece that is read at once. */
const LARGE = noise(smallWav({ frames: 300_000 }), 1);

test("[F3] a sound gets its final name once it is complete and verified", async () => {
  const { path, fetch, files } = await setUp();
  const received = await fetch();
  expect(await files()).toEqual([`${FILE}.part`]);
  await received.finish();
  expect(await files()).toEqual([FILE]);
  expect(await readFile(path)).toEqual(SMALL);
  expect(received.header).toMatchObject({ frames: 2000 });
});

test.each([
  [
    "other bytes",
    noise(smallWav({ frames: 2000 }), 2),
    "checksum doesn't match the announced one.",
    "CHECKSUM_DIFFERS",
  ],
  ["no WAV", Buffer.alloc(SMALL.length), "not a WAV file. Export it as WAV.", "WAV_NOT_RIFF"],
  [
    "too many bytes",
    Buffer.concat([SMALL, Buffer.alloc(1)]),
    "received 4045 bytes, expected 4044.",
    "SIZE_DIFFERS",
  ],
])("[F3] a source that sends %s leaves nothing on the disk", async (_, instead, sentence, code) => {
  const { failure, files, attempt } = await setUp();
  attempt(() => streamOf(instead, 0));
  const error = await failure();
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ message: `Kick.wav: ${sentence}`, code });
  expect(await files()).toEqual([]);
});

test("[F3] a cancel in the middle of the body keeps the received bytes", async () => {
  const { path, receive, attempt } = await setUp();
  const cancel = new AbortController();
  attempt(stallAfter(1000));
  const onBytes = () => cancel.abort(new Error("called off"));
  await expect(receive({ signal: cancel.signal, onBytes })).rejects.toThrow("called off");
  expect(await readFile(`${path}.part`)).toEqual(SMALL.subarray(0, 1000));
});

describe("a source that sends another part than requested", () => {
  test("[F3] is asked again, and nothing of that part is used", async () => {
    const { path, receive, starts, attempt } = await setUp();
    attempt(
      cutAfter(1000),
      ({ wav }) => streamOf(wav, 500),
      ({ wav }) => streamOf(wav, 2000),
    );
    await receive();
    expect(starts()).toEqual([0, 1000, 1000, 1000]);
    expect(await readFile(path)).toEqual(SMALL);
  });

  test("[F3] is named when it does so each time", async () => {
    const { failure, attempt } = await setUp();
    attempt(
      ...Array.from(
        { length: 4 },
        () =>
          ({ wav }: { wav: Buffer }) =>
            streamOf(wav, 1),
      ),
    );
    expect(await failure()).toMatchObject({
      message: "Kick.wav: the relay sent another part than requested.",
      status: undefined,
    });
  });

  test("[F3] but the whole file, is taken from its first byte", async () => {
    const { path, receive, starts, seen, attempt } = await setUp();
    attempt(cutAfter(1000), ({ wav }) => streamOf(wav, 0));
    await receive();
    expect(starts()).toEqual([0, 1000]);
    expect(seen).toEqual([1000, SMALL.length]);
    expect(await readFile(path)).toEqual(SMALL);
  });
});

describe("a part that an earlier run left", () => {
  test("[F3] is resumed, and counts as seen", async () => {
    const { path, receive, starts, seen } = await setUp(LARGE);
    await writeFile(`${path}.part`, LARGE.subarray(0, 150_000));
    await receive();
    expect(starts()).toEqual([150_000]);
    expect(seen).toEqual([150_000, LARGE.length]);
    expect((await readFile(path)).equals(LARGE)).toBe(true);
  });

  test.each([
    ["whole", SMALL, []],
    ["another file's", Buffer.concat([SMALL.subarray(0, 44), Buffer.alloc(500)]), [544, 0]],
    ["as long, but another", Buffer.concat([SMALL.subarray(0, 44), Buffer.alloc(4000)]), [0]],
    ["longer than the file", Buffer.concat([SMALL, Buffer.alloc(4000, 1)]), []],
  ])("[F3] that is %s is used or thrown away once", async (_, part, requests) => {
    const { path, receive, starts, files } = await setUp();
    await writeFile(`${path}.part`, part);
    await receive();
    expect(starts()).toEqual(requests);
    expect(await readFile(path)).toEqual(SMALL);
    expect(await files()).toEqual([FILE]);
  });

  test("[F3] is not blamed for wrong bytes of the source, which are refused at once", async () => {
    const { failure, starts, files, attempt } = await setUp();
    attempt(() => streamOf(noise(smallWav({ frames: 2000 }), 9), 0));
    expect(await failure()).toBeInstanceOf(Refusal);
    expect(starts()).toEqual([0]);
    expect(await files()).toEqual([]);
  });

  test("[F3] and is no WAV is not blamed for wrong bytes of the source either", async () => {
    const { path, failure, starts, attempt } = await setUp();
    await writeFile(`${path}.part`, "<html>not found</html>".repeat(10));
    attempt(() => streamOf(noise(smallWav({ frames: 2000 }), 9), 0));
    expect(await failure()).toBeInstanceOf(Refusal);
    expect(starts()).toEqual([0]);
  });

  test("[F3] and is empty changes nothing", async () => {
    const { path, receive, starts, seen } = await setUp();
    await writeFile(`${path}.part`, "");
    await receive();
    expect(starts()).toEqual([0]);
    expect(seen).toEqual([SMALL.length]);
  });
});

describe.each([
  ["size", { bytes: undefined }],
  ["checksum", { sha256: undefined }],
])("a sound that announces no %s", (_, more) => {
  test("[F3] is fetched whole: nothing proves that an earlier part or file is the right one", async () => {
    const { path, receive, starts } = await setUp(SMALL, more);
    await writeFile(path, SMALL);
    await writeFile(`${path}.part`, SMALL.subarray(0, 1500));
    const { frames } = await receive();
    expect(frames).toBe(2000);
    expect(starts()).toEqual([0]);
    expect(await readFile(path)).toEqual(SMALL);
  });

  test("[F3] is asked for once when it is no WAV", async () => {
    const { failure, starts, attempt } = await setUp(SMALL, more);
    attempt(() => streamOf(Buffer.alloc(SMALL.length), 0));
    expect(await failure()).toBeInstanceOf(Refusal);
    expect(starts()).toEqual([0]);
  });

  test("[F3] leaves no part when its source fails", async () => {
    const { failure, files, attempt } = await setUp(SMALL, more);
    attempt(cutAfter(1000), failWith(new RelayError(404, "No.", { code: "FILE_UNKNOWN" })));
    expect(await failure()).toBeInstanceOf(FetchFailure);
    expect(await files()).toEqual([]);
  });
});

describe("a file that is there already", () => {
  test("[F3] counts as seen whole when it is the right one, and nothing is opened", async () => {
    const { path, receive, starts, seen, files } = await setUp();
    await writeFile(path, SMALL);
    expect(await receive()).toMatchObject({ frames: 2000 });
    expect(starts()).toEqual([]);
    expect(seen).toEqual([SMALL.length]);
    expect(await files()).toEqual([FILE]);
  });

  test.each([
    ["longer", Buffer.concat([SMALL, Buffer.alloc(1)])],
    ["spoilt", Buffer.concat([SMALL.subarray(0, -1), Buffer.from([~(SMALL.at(-1) ?? 0) & 0xff])])],
  ])("[F2][F3] is replaced when it is %s", async (_, other) => {
    const { path, receive, starts } = await setUp();
    await writeFile(path, other);
    await receive();
    expect(starts()).toEqual([0]);
    expect(await readFile(path)).toEqual(SMALL);
  });

  test("[F4] is replaced when it is a link, also to a file that would do", async () => {
    const { path, receive, starts } = await setUp();
    const other = join(await temporaryFolder(), "Other.wav");
    await writeFile(other, SMALL);
    await symlink(other, path);
    await receive();
    expect(starts()).toEqual([0]);
  });
});
