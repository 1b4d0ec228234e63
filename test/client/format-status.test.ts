import { expect, test } from "vitest";
import { formatPackageStatus } from "../../client/send/words/format-status.ts";
import { inEnglish } from "../../core/messages/translate.ts";
import { SAVED_AS_FILES, type SoundResults } from "../../core/protocol/package-status.ts";

function words(results: SoundResults): string {
  const news = { status: "imported", sounds: [{ id: "1" }, { id: "2" }] } as const;
  const computer = { computerName: "Studio", results };
  return formatPackageStatus(inEnglish, { ...news, ...computer }).words;
}

test("[S3] sounds that lie on the disk alone read as saved, and as imported once one is in a Set", () => {
  const saved = { status: "imported", notes: [SAVED_AS_FILES] } as const;
  expect(words({ 1: saved, 2: saved })).toBe("All 2 sounds saved");
  expect(words({ 1: saved, 2: { status: "skipped" } })).toBe("1 of 2 sounds saved");
  expect(words({ 1: saved, 2: { status: "imported", track: "Kick (Looper)" } })).toBe(
    "All 2 sounds imported",
  );
});
