import { expect, test } from "vitest";
import { chooseLanguage } from "../../../core/messages/languages.ts";

test.each([
  [["de-AT", "en"], "de"],
  [["fr_CA"], "fr"],
  [["pt-BR", "es-419", "de"], "es"],
  [["JA"], "ja"],
  [["zh-Hant-TW", "ko"], "en"],
  [["en-GB", "de"], "en"],
  [["dex", ""], "en"],
  [[], "en"],
])("of %j it takes %s", (preferred, language) => {
  expect(chooseLanguage(preferred)).toBe(language);
});
