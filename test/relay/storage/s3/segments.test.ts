import { expect, test } from "vitest";
import { segmentName } from "../../../../relay/storage/s3/object-names.ts";
import { S3Bucket } from "../../../../relay/storage/s3/s3-bucket.ts";
import { PATIENCE } from "../../../../relay/storage/s3/s3-calls.ts";
import { chainOf } from "../../../../relay/storage/s3/segments.ts";

const KEY = "pkg_1/snd_1";

test("segments are chained up to a gap: the later writer's, and of one writer the longer", () => {
  using bucket = new S3Bucket({ bucket: "sounds", region: "us-east-1" }, PATIENCE);
  const names = [
    [1, 0, 500],
    [1, 0, 900],
    [1, 900, 700],
    [2, 900, 100],
    [1, 1000, 50],
    [1, 1600, 50],
  ].map(([epoch = 0, start = 0, bytes = 0]) => ({
    name: segmentName(KEY, epoch, start, bytes),
    bytes,
    changedAt: 0,
  }));
  const claim = { name: `unfinished/${KEY}/claim-000002-0a1b`, bytes: 0, changedAt: 0 };
  const listed = [claim, ...names].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const chain = chainOf(bucket, listed).map(({ name }) => name);
  expect(chain).toEqual([
    segmentName(KEY, 1, 0, 900),
    segmentName(KEY, 2, 900, 100),
    segmentName(KEY, 1, 1000, 50),
  ]);
});
