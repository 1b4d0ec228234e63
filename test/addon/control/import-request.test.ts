import { expect, test } from "vitest";
import {
  parseHostChoice,
  parseImportOptions,
  parseImportRequest,
} from "../../../addon/control/import-request.ts";

test("[N5] a request names a package, and how to import it", () => {
  expect(parseImportRequest({ packageId: "pkg_a-B_9" })).toEqual({
    packageId: "pkg_a-B_9",
    options: { again: false, takeOver: false },
  });
  const request = { again: true, takeOver: true, sessionTempoBpm: 126.5 };
  expect(parseImportRequest({ packageId: `local_${"0f".repeat(16)}`, ...request })).toEqual({
    packageId: `local_${"0f".repeat(16)}`,
    options: { again: true, takeOver: true, sessionTempoBpm: 126.5 },
  });
});

test("[R3] other programs name the same options in snake_case, as rule K5 does", () => {
  const body = { again: true, take_over: true, session_tempo_bpm: 126.5 };
  const options = { again: true, takeOver: true, sessionTempoBpm: 126.5 };
  expect(parseImportOptions(body)).toEqual(options);
  expect(parseImportOptions(options)).toEqual({ again: true, takeOver: false });
  expect(() => parseImportOptions({ session_tempo_bpm: 5 })).toThrow("session_tempo_bpm must be");
});

test("[R10][N1] a request names sounds, as the panel or a program does", () => {
  const soundIds = ["1", "2"];
  expect(parseImportRequest({ packageId: "pkg_1", soundIds, reuseTracks: true })).toMatchObject({
    options: { only: soundIds, reuseTracks: true },
  });
  expect(parseImportOptions({ only: ["Kick"] })).toMatchObject({ only: ["Kick"] });
  const tooMany = Array.from({ length: 33 }, (_, index) => String(index));
  for (const wrong of [[], "1", [1], tooMany, ["x".repeat(101)], null]) {
    expect(() => parseImportRequest({ packageId: "pkg_1", soundIds: wrong })).toThrow(
      "soundIds must be a list of 1 to 32 sounds.",
    );
  }
});

test.each([
  undefined,
  null,
  "pkg_1",
  ["pkg_1"],
  {},
  { packageId: 1 },
  { packageId: "/home/ana/Music" },
  { packageId: "../pkg_1" },
  { packageId: "pkg_1/.." },
  { packageId: "pkg_1", again: "yes" },
  { packageId: "pkg_1", takeOver: 1 },
  { packageId: "pkg_1", sessionTempoBpm: "126" },
  { packageId: "pkg_1", sessionTempoBpm: null },
  { packageId: "pkg_1", sessionTempoBpm: 19.99 },
  { packageId: "pkg_1", sessionTempoBpm: 1000 },
  { packageId: "pkg_1", sessionTempoBpm: Number.NaN },
])("[N1] anything else is refused in words: %j", (request) => {
  expect(() => parseImportRequest(request)).toThrow(
    expect.objectContaining({ status: 400, message: expect.stringMatching(/^\w+ must be .*\.$/) }),
  );
});

test("[R7] another program may name a host, by a word", () => {
  expect(parseHostChoice({ host: "dawproject" })).toEqual({ host: "dawproject" });
  expect(parseHostChoice({})).toEqual({});
  for (const host of [1, null, ["preview"]]) {
    expect(() => parseHostChoice({ host })).toThrow("host must be a string.");
  }
});

test("[N22] the panel's request may name one other host: a DAWproject", () => {
  expect(parseImportRequest({ packageId: "pkg_1", host: "dawproject" }).options).toEqual({
    again: false,
    takeOver: false,
    host: "dawproject",
  });
  for (const host of ["preview", "live", "dawproject-arrangement", 1, null]) {
    expect(() => parseImportRequest({ packageId: "pkg_1", host })).toThrow(
      "host must be dawproject, or absent.",
    );
  }
});
