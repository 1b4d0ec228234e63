import { describe, expect, test } from "vitest";
import { formatBytes } from "../../../core/text/format-number.ts";
import {
  formatConnection,
  formatDestination,
  noticesOf,
} from "../../../pages/panel/text/format-status.ts";
import { formatMoment } from "../../../pages/panel/text/format-moment.ts";
import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { formatProgress } from "../../../pages/panel/text/format-run.ts";
import { formatDifference } from "../../../core/text/format-setting.ts";
import { formatSound } from "../../../pages/panel/text/format-sound.ts";
import { formatDuration, formatSpan } from "../../../core/text/format-span.ts";
import type { PanelSound, PanelTrackPlan } from "../../../core/protocol/panel-api.ts";
import { formatPageTitle } from "../../../pages/panel/text/format-page-title.ts";
import { readCannedPackage } from "../../../scripts/pictures/canned-package.ts";
import { FIRST_RUN, FRESH, OFFLINE, PAIRED } from "../../../scripts/pictures/canned-states.ts";
import { inEnglish } from "../../../core/messages/translate.ts";

test("spans have two units at most, and never go below zero", () => {
  const said = [-3, 0.9, 59.9, 60, 3599, 3600, 84_900].map((seconds) =>
    formatSpan(inEnglish, seconds),
  );
  expect(said).toEqual(["0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "23 h 35 min"]);
  expect(
    [0.02, 3.44, 12.4, 185, 545.9].map((seconds) => formatDuration(inEnglish, seconds)),
  ).toEqual(["0.1 s", "3.4 s", "12 s", "3:05", "9:05"]);
});

test("[N27] the tab's title begins with the number of new packages", async () => {
  const { offered } = await readCannedPackage("one-shot-kit");
  const { packageId, title } = offered;
  const imported = { ...offered, packageId: "pkg_done", status: "imported" as const, results: {} };
  const runs = [{ packageId, title, progress: null, sounds: {} }];
  const said = [
    null,
    PAIRED,
    { ...PAIRED, packages: [offered, imported] },
    { ...PAIRED, packages: [offered], runs },
    { ...PAIRED, packages: [{ ...offered, isDismissed: true }] },
    { ...PAIRED, packages: [{ packageId, title, error: "No manifest." }] },
  ].map(formatPageTitle);
  expect(said).toEqual([
    "Soundferry",
    "Soundferry",
    "(1) Soundferry",
    "(1) Soundferry",
    "Soundferry",
    "Soundferry",
  ]);
});

test("sizes have three digits or so, and the next unit where they round to it", () => {
  const said = [0, 999, 1000, 999_499, 999_500, 48_300_000, 999_950_000].map((bytes) =>
    formatBytes(inEnglish, bytes),
  );
  expect(said).toEqual(["0 B", "999 B", "1 kB", "999 kB", "1 MB", "48.3 MB", "1 GB"]);
});

test("moments are told from now, days by their date", () => {
  const now = new Date(2026, 10, 21, 14, 32).getTime();
  const said = (...date: [number, number, number, number, number]) =>
    formatMoment(new Date(...date).toISOString(), now);
  expect(said(2026, 10, 21, 14, 33)).toBe("just now");
  expect(said(2026, 10, 21, 14, 20)).toBe("12 min ago");
  expect(said(2026, 10, 21, 0, 5)).toBe("today, 00:05");
  expect(said(2026, 10, 20, 23, 59)).toBe("20 Nov, 23:59");
  expect(said(2025, 1, 3, 8, 0)).toBe("3 Feb 2025, 08:00");
  expect(formatMoment("yesterday", now)).toBe("yesterday");
});

describe("a sound", () => {
  const sound: PanelSound = { id: "1", name: "Kick", kind: "loop", role: "fx", bytes: null };
  const track: PanelTrackPlan = {
    id: "1",
    warpMode: "complex_pro",
    looping: true,
    loopEndBeats: 1,
    tempoBpm: 97.3,
    gainDb: -6.25,
    notes: [],
    color: "#FF94A6",
    durationSeconds: 0.6,
  };

  test("is described by what it becomes", () => {
    const pieces = ["Loop", "FX", "97.3 BPM", "1 beat", "Warp Complex Pro", "−6.3 dB"];
    expect(formatSound(sound, track)).toEqual(pieces);
  });

  test("is described by its length without beats, and by its file without a plan", () => {
    const shot = { ...track, loopEndBeats: null, tempoBpm: null, warpMode: null, gainDb: 0 };
    const pieces = formatSound({ ...sound, kind: "oneshot", role: null }, shot);
    expect(pieces).toEqual(["One-shot", "0.6 s"]);
    expect(formatSound(sound, undefined)).toEqual(["Loop", "FX"]);
  });
});

test("differences are sentences with the host's own names", () => {
  const said = (setting: string, asked: string | number | boolean | null, got: typeof asked) =>
    formatDifference(inEnglish, { setting, asked, got });
  expect(said("tempo_bpm", 126, 63)).toBe("Tempo: asked for 126 BPM, got 63 BPM.");
  expect(said("gain_db", -20, 0)).toBe("Gain: asked for −20 dB, got 0 dB.");
  expect(said("warp_mode", "repitch", "beats")).toBe("Warp mode: asked for Re-Pitch, got Beats.");
  expect(said("warping", true, false)).toBe("Warp: asked for on, got off.");
  expect(said("color_index", 10, 99)).toBe("Color: asked for #92A7FF, got 99.");
  expect(said("track", "Kick", "1 Kick")).toBe("Track name: asked for “Kick”, got “1 Kick”.");
  expect(said("loop_beats", 4, null)).toBe("Loop length: asked for 4 beats, got none.");
  expect(said("toString", 1, 2)).toBe("toString: asked for 1, got 2.");
});

test("progress has words, and a part where one is known", () => {
  expect(formatProgress(null)).toEqual({ words: "Queued", part: null });
  expect(formatProgress({ phase: "taken", runId: "r" }).part).toBeNull();
  expect(formatProgress({ phase: "fetching", doneBytes: 31e6, totalBytes: 62e6 })).toEqual({
    words: "Fetching: 31 MB of 62 MB",
    part: 0.5,
  });
  expect(formatProgress({ phase: "fetching", doneBytes: 0, totalBytes: 0 }).part).toBeNull();
  const retrying = { phase: "retrying", doneBytes: 31e6, totalBytes: 62e6 } as const;
  expect(formatProgress({ ...retrying, secondsLeft: 130 })).toEqual({
    words: "The connection was lost. Trying again… 2 min left",
    part: 0.5,
  });
  expect(formatProgress({ phase: "placing", placed: 1, total: 4 })).toEqual({
    words: "Placing: 1 of 4 sounds",
    part: 0.25,
  });
  expect(formatProgress({ phase: "reported", isKnown: false }).words).toContain("once the relay");
});

test("an outcome counts what is there", () => {
  const said = (...statuses: ("imported" | "skipped" | "failed")[]) =>
    formatOutcome(
      inEnglish,
      statuses.map((status) => ({ status })),
    );
  expect(said("imported")).toEqual({ words: "1 sound imported", tone: "good" });
  expect(said("imported", "imported").words).toBe("All 2 sounds imported");
  expect(said("imported", "skipped")).toEqual({ words: "1 of 2 sounds imported", tone: "mixed" });
  expect(said("failed", "skipped")).toEqual({ words: "None of 2 sounds imported", tone: "bad" });
});

test("the connection is told where it is broken nearest to the page", () => {
  const { connection } = OFFLINE;
  expect(formatConnection("looking", null).words).toBe("Connecting to Soundferry");
  expect(formatConnection("lost", connection).words).toBe("No connection to Soundferry");
  expect(formatConnection("live", connection).words).toBe("No connection to relay.example.com");
  expect(formatConnection("live", FIRST_RUN.connection).words).toBe("No relay set");
  expect(formatConnection("live", FRESH.connection)).toEqual({
    words: "Connected to relay.example.com",
    tone: "good",
  });
});

test("[N9] the header says where imports go, and a notice what to do while nothing answers", () => {
  const host = { ...FRESH.host, label: "Live 12.1.5 Standard, through the control surface" };
  expect(formatDestination(host)).toBe(
    "Imports into Live 12.1.5 Standard, through the control surface",
  );
  const away = { ...host, trouble: "Live doesn't answer. Open Live." };
  expect(formatDestination(away)).toBe("Waiting for Live");
  expect(formatDestination({ ...away, name: "cubase" })).toBe("Waiting for cubase");
  expect(noticesOf("live", { ...FRESH, host: away }, false)).toEqual([away.trouble]);
  // The button beside the first one answers the question.
  const connection = { ...FRESH.connection, movedFrom: "http://before.example" };
  const asked = noticesOf("lost", { ...FRESH, host: away, connection }, false);
  expect(asked[0]).toMatch(/^Is the relay at .* at a new address\?$/);
  expect(asked).toContain(away.trouble);
});

test("[K16] notices say what is wrong, the nearest first, and nothing where all is well", () => {
  expect(noticesOf("live", FRESH, false)).toEqual([]);
  const state = { ...OFFLINE, diskTrouble: "The disk is full." };
  expect(noticesOf("lost", state, true)).toEqual([
    expect.stringContaining("You can still import."),
    "The relay at relay.example.com does not answer. Retrying automatically.",
    "The disk is full.",
  ]);
  expect(noticesOf("live", { ...FRESH, pretends: "slow" }, false)).toEqual([
    "Test mode: Soundferry was started with --pretend slow.",
  ]);
  const trouble = "The relay at relay.example.com has a problem (500). Try again later.";
  const retried = { ...OFFLINE, connection: { ...OFFLINE.connection, trouble } };
  expect(noticesOf("live", retried, true)).toEqual([
    "The relay at relay.example.com has a problem (500). Retrying automatically.",
  ]);
  expect(noticesOf("lost", null, true)).toEqual([
    expect.stringContaining("Retrying automatically"),
  ]);
});
