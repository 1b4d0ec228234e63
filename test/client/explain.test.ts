import { expect, test } from "vitest";
import { ClientError } from "../../client/wire/client-error.ts";
import { explainIn } from "../../client/send/words/explain.ts";
import { GERMAN } from "../../core/messages/de/german.ts";
import { translateWith } from "../../core/messages/translate.ts";

test("[W16] several bad sounds are explained in the page's language, each by its own name", () => {
  const problems = [
    { error: "Voice memo: not a WAV file. Export it as WAV.", code: "WAV_NOT_RIFF" },
    {
      error: "Take 2 can't be read any more; its file was changed or removed.",
      code: "SOUND_UNREADABLE",
    },
  ] as const;
  const error = new ClientError("2 sounds can't be sent.", { code: "SOUNDS_REFUSED", problems });
  expect(explainIn(translateWith("de", GERMAN), error)).toBe(
    "Voice memo: keine WAV-Datei. Exportiere sie als WAV. Take 2 lässt sich nicht mehr lesen; die Datei wurde geändert oder entfernt.",
  );
});
