import { expect, test } from "vitest";
import { ENGLISH } from "../../../core/messages/en/english.ts";
import { inEnglish, translateWith } from "../../../core/messages/translate.ts";

test("fills placeholders, and takes the plural form of the count", () => {
  expect(inEnglish("clips.count", { count: 1 })).toBe("1 sound");
  expect(inEnglish("clips.count", { count: 0 })).toBe("0 sounds");
  expect(inEnglish("clips.count", { count: 1000 })).toBe("1000 sounds");
  expect(inEnglish("clips.count", { count: 12_000 })).toBe("12,000 sounds");
  expect(inEnglish("clips.play", { name: "{count}" })).toBe("Play {count}");
});

test("each language has its own plural forms and numbers", () => {
  const french = translateWith("fr", {
    ...ENGLISH,
    "clips.count": { one: "{count} son", other: "{count} sons" },
  });
  expect(french("clips.count", { count: 0 })).toBe("0 son");
  expect(french("clips.count", { count: 1.5 })).toBe("1,5 son");
  expect(french("clips.count", { count: 2 })).toBe("2 sons");
  const japanese = translateWith("ja", { ...ENGLISH, "clips.count": { other: "{count}個" } });
  expect(japanese("clips.count", { count: 1 })).toBe("1個");
});
