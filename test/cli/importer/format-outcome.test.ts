import { expect, test } from "vitest";
import { formatOutcome, headlineOf } from "../../../cli/commands/importer/format-outcome.ts";
import { formatSounds } from "../../../cli/format.ts";
import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import { SAVED, savedTrack } from "./saved-outcome.ts";

const TWO = { ...SAVED, tracks: [savedTrack("1"), savedTrack("2")] };

test("[R16] says that a package was saved, where, and once what that means", () => {
  expect(formatOutcome(TWO)).toBe(`\
Saved. Kit (Looper): 2 of 2 sounds. Files: /sounds/Kit

#  Sound   Result  Track  File in the sounds folder
─  ──────  ──────  ─────  ─────────────────────────
1  Kick 1  saved   –      Kit/Kick 1.wav
2  Kick 2  saved   –      Kit/Kick 2.wav

All: Saved as files; not placed in a Set.

To place it in Live, import it again while Live is open. Is Live set up? Try npm run --silent soundferry -- live status`);
});

test("[R16] doesn't send somebody to Live who chose the folder", () => {
  expect(formatOutcome(TWO, "folder")).not.toContain("Live");
});

test("[R16] calls a package imported once one of its sounds is in a host", () => {
  const placed = { ...savedTrack("2"), notes: [] };
  const outcome = { ...SAVED, tracks: [savedTrack("1"), placed] };
  expect(headlineOf(outcome)).toBe("Kit (Looper): 2 of 2 sounds imported.");
  expect(formatOutcome(outcome)).toMatch(/1 {2}Kick 1 {2}saved +–.*\n2 {2}Kick 2 {2}imported/);
});

test("says once what is true of all imported sounds, and the rest by number", () => {
  const sounds = [
    { name: "Kick", result: { status: "imported", notes: ["Same.", "Only here."] } },
    { name: "Hat", result: { status: "failed", error: "No." } },
    { name: "Snare", result: { status: "imported", notes: ["Same."] } },
  ] as const;
  const [, remarks] = formatSounds(sounds).split("\n\n");
  expect(remarks).toBe("All: Same.\n1  Kick: Only here.\n2  Hat: No.");
  const [, alone] = formatSounds([sounds[2]]).split("\n\n");
  expect(alone).toBe("1  Snare: Same.");
  expect(
    formatSounds([{ name: "Kick", result: { status: "imported", notes: [SAVED_AS_FILES] } }]),
  ).toContain("saved");
});
