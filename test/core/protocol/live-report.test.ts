import { expect, test } from "vitest";
import { inEnglish } from "../../../core/messages/translate.ts";
import {
  factsOf,
  formatStays,
  type LiveReport,
  withoutTimings,
} from "../../../core/protocol/live-report.ts";

const report: LiveReport = {
  report: "soundferry-live-check",
  format: 1,
  soundferry: "1.0.0",
  live: "12.1.5",
  edition: "Suite",
  system: "darwin arm64",
  tick_ms: 100,
  checks: [
    {
      id: "clips",
      question: "Does a clip loop?",
      facts: { loops: true, load_ms: 7, wait_ticks: 2, ms_of_load: 1, load_ms_max: 9 },
      timings: { create_audio_clip: [12] },
    },
    { id: "tempo", question: "Is the tempo read?", facts: null, timings: {} },
  ],
  stays: 2,
};

test("[H21] the facts of a check are found by its id; a skipped or unknown one has none", () => {
  expect(factsOf(report, "clips")).toBe(report.checks[0]?.facts);
  expect([factsOf(report, "tempo"), factsOf(report, "other")]).toEqual([{}, {}]);
});

test("[H21] two reports of the same Live are equal without their times and systems", () => {
  expect(withoutTimings(report)).toEqual({
    report: "soundferry-live-check",
    format: 1,
    soundferry: "1.0.0",
    live: "12.1.5",
    edition: "Suite",
    checks: [
      {
        id: "clips",
        question: "Does a clip loop?",
        facts: { loops: true, ms_of_load: 1, load_ms_max: 9 },
      },
      { id: "tempo", question: "Is the tempo read?", facts: null },
    ],
    stays: 2,
  });
});

test("[H21] what stays in Live is counted", () => {
  expect(formatStays(inEnglish, 2)).toContain("2");
});
