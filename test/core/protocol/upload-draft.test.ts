import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import {
  formatUploadComplete,
  formatUploadLimit,
  MISMATCHING_OFFSET,
  PARTIAL_UPLOAD_TYPE,
  parseUploadComplete,
  parseUploadOffset,
} from "../../../core/protocol/upload-draft.ts";

test.each([
  ["0", 0],
  ["1048576", 1_048_576],
  ["999999999999999", 999_999_999_999_999],
  ["1000000000000000", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["1 ", undefined],
  [" 1", undefined],
  ["", undefined],
  [undefined, undefined],
])("[U10] the offset %j is %s", (text, bytes) => {
  expect(parseUploadOffset(text)).toBe(bytes);
});

test("[U10] whether a file is complete is a structured field's boolean", () => {
  expect(["?1", "?0", "1", "true", "", undefined].map(parseUploadComplete)).toEqual([
    true,
    false,
    ...Array.from({ length: 4 }, () => undefined),
  ]);
  expect([true, false].map(formatUploadComplete)).toEqual(["?1", "?0"]);
});

test("[U10] the limit says how large a file can be, and how long it can still be sent", () => {
  expect(formatUploadLimit()).toBe(`max-size=${MAX_PACKAGE_BYTES}, min-size=0`);
  expect(formatUploadLimit(488, 3600)).toBe("max-size=488, min-size=0, max-age=3600");
  expect(formatUploadLimit(488, 0)).toBe("max-size=488, min-size=0, max-age=0");
});

test("[U10] an append and a wrong offset have the names of the draft", () => {
  expect(PARTIAL_UPLOAD_TYPE).toBe("application/partial-upload");
  expect(MISMATCHING_OFFSET).toBe(
    "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
  );
});
