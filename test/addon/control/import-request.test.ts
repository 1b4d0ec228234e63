import { expect, test } from "vitest";
import { parseHostChoice, parseImportRequest } from "../../../addon/control/import-request.ts";

test("[N5] a wish names a package, and how it is to be imported", () => {
  expect(parseImportRequest({ package_id: "pkg_a-B_9" })).toEqual({
    packageId: "pkg_a-B_9",
    options: { again: false, takeOver: false },
  });
  const request = { again: true, take_over: true, session_tempo_bpm: 126.5 };
  expect(parseImportRequest({ package_id: `local_${"0f".repeat(16)}`, ...request })).toEqual({
    packageId: `local_${"0f".repeat(16)}`,
    options: { again: true, takeOver: true, sessionTempoBpm: 126.5 },
  });
});

test.each([
  undefined,
  null,
  "pkg_1",
  ["pkg_1"],
  {},
  { package_id: 1 },
  { package_id: "/home/ana/Music" },
  { package_id: "../pkg_1" },
  { package_id: "pkg_1/.." },
  { package_id: "pkg_1", again: "yes" },
  { package_id: "pkg_1", take_over: 1 },
  { package_id: "pkg_1", session_tempo_bpm: "126" },
  { package_id: "pkg_1", session_tempo_bpm: null },
  { package_id: "pkg_1", session_tempo_bpm: 19.99 },
  { package_id: "pkg_1", session_tempo_bpm: 1000 },
  { package_id: "pkg_1", session_tempo_bpm: Number.NaN },
])("[N1] anything else is refused in words: %j", (request) => {
  expect(() => parseImportRequest(request)).toThrow(
    expect.objectContaining({ status: 400, message: expect.stringMatching(/^\w+ must be .*\.$/) }),
  );
});

test("[R7] another program may name a host, by a word; the panel's wish has none", () => {
  expect(parseHostChoice({ host: "dawproject" })).toEqual({ host: "dawproject" });
  expect(parseHostChoice({})).toEqual({});
  for (const host of [1, null, ["preview"]]) {
    expect(() => parseHostChoice({ host })).toThrow("host must be a string.");
  }
  const request = { package_id: "pkg_1", host: "dawproject" };
  expect(parseImportRequest(request).options).not.toHaveProperty("host");
});
