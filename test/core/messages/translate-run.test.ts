import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REFUSAL_TEXTS } from "../../../core/messages/en/refusals.ts";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import {
  findRunSentence,
  findRunSentences,
  translateRun,
} from "../../../core/messages/translate-run.ts";
import { inEnglish, translateWith } from "../../../core/messages/translate.ts";
import { RUN_REASONS, RUN_STEPS } from "../../../core/protocol/run-parts.ts";
import {
  FOLLOWING_SENTENCES,
  RUN_SENTENCES,
  runSentence,
} from "../../../core/protocol/run-sentences.ts";
import { fillSentence } from "../../../core/text/sentence-of.ts";
import { CODE_POINT } from "../../code-point.ts";

/** Values of the placeholders that take more than a name. */
const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "bpm heldBpm leastDb mostDb seconds fileSeconds gapSeconds minutes count line column color heldColor semitones cents"
      .split(" ")
      .map((name, index) => [name, String(index + 1.5)]),
  ),
  db: "24",
  gain: "-24 dB",
  live: "Live 12.0.1 Lite",
  beats: "4 beats",
  file: "Kick (808).wav",
  host: "Live 12.1.5 Standard",
  step: "make the clip Kick (808)",
  steps: "make the scene Kit, make the track Kick",
  settings: "track color, pitch",
  setting: "loop end",
  things: "scene Kit, track Kick",
  problem: "Oddly.",
  relay: "localhost:4700",
  status: "ECONNABORTED",
  sound: 'Sound 3 "Kick"',
  limit: "1 MiB",
  variable: "SOUNDFERRY_SOUNDS",
  ids: "1, kick-2",
};
/** Placeholders whose value has a form: a name can't be one of them. */
const FORMED = new Set(Object.keys(PLAIN).filter((name) => name !== "problem"));

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
const fill = (text: string, valueOf: (name: string) => string) => {
  const params = new Map(namesIn(text).map((name) => [name, valueOf(name)]));
  return { sentence: fillSentence(text, params), params: Object.fromEntries(params) };
};
const plain = (name: string) => PLAIN[name] ?? `The ${name} of Ana`;
const SENTENCES = Object.entries<string>(RUN_SENTENCES);
const REFUSED = Object.entries<string>(REFUSAL_TEXTS);

test("[N28] each sentence and each refusal is found, with its params", () => {
  const all = [...SENTENCES.map(([code, text]) => [`run.${code}`, text] as const), ...REFUSED];
  for (const [key, text] of all) {
    const { sentence, params } = fill(text, plain);
    expect(findRunSentence(sentence)).toEqual({ key, params });
  }
});

/** Names that look like sentences, templates and expressions. */
const HOSTILE = [
  "{name} {file} {}",
  "$& \\1 (.*) [x]|^$",
  "“a”, not “b”",
  'He said "no". Twice.',
  "a\nb",
  "Live couldn't",
];
/** Sentences as names. A text that begins with one can't be told from it. */
const SPELLED = SENTENCES.map(([, text]) => fill(text, plain).sentence);

/** The hostile names of one sentence; each spelled one is tried with a tenth of them. */
function namesFor(index: number, text: string): readonly string[] {
  if (text.startsWith("{")) return HOSTILE;
  return [...HOSTILE, ...SPELLED.filter((_, other) => other % 10 === index % 10)];
}

test("[N28] no sentence is taken for another one, whatever the names in it are", () => {
  const wrong: unknown[] = [];
  for (const [index, [code, text]] of SENTENCES.entries()) {
    if (FOLLOWING_SENTENCES.has(code)) continue;
    for (const name of namesFor(index, text)) {
      const { sentence } = fill(text, (slot) => (FORMED.has(slot) ? plain(slot) : name));
      const key = findRunSentence(sentence)?.key;
      if (key !== `run.${code}`) wrong.push([code, name, key]);
    }
  }
  expect(wrong).toEqual([]);
  const codes = fc.constantFrom(...SENTENCES);
  fc.assert(
    fc.property(codes, fc.string({ unit: CODE_POINT }), ([code, text], name) => {
      const { sentence } = fill(text, (slot) => (FORMED.has(slot) ? plain(slot) : name));
      return findRunSentence(sentence)?.key === `run.${code}`;
    }),
  );
});

describe.each(LANGUAGES)("[N28] in %s", (language) => {
  const t = translateWith(language, TABLES[language]);
  const parts = [
    ...Object.values(RUN_STEPS).map((step) => `Live couldn't ${fill(step, plain).sentence}.`),
    ...Object.values(RUN_REASONS).map(
      (reason) => `Live couldn't place the scene Kit: ${fill(reason, plain).sentence}.`,
    ),
    "Not checked: track name, clip name, warping, warp mode, loop, loop end, tempo, gain, start, loop start, warp markers, file, clip color, track color, pitch, arming, input, fader, scene name, scene color.",
    "The Set was closed while Live placed Kit. The Set that is open now holds nothing of it.",
    "An earlier import of Kit was interrupted. Done: make the scene Kit. Maybe done: make one more track. Delete what you don't want, then import again.",
    "The connection was lost. Nothing was placed. Import again to continue. Last problem: Nothing answers at localhost:4700. Is the relay running?",
    "Couldn't make a copy with a gain of -24 dB. Too many files are open on this computer. Close a program and import again.",
  ];

  test("every sentence and every part of one is said, with its names", () => {
    for (const text of [...SENTENCES.map(([, each]) => fill(each, plain).sentence), ...parts]) {
      const said = translateRun(t, text);
      expect(said).not.toMatch(/[{}]/);
      if (language !== "en") expect(said).not.toMatch(/\b(?:the|of it|couldn't|is|were)\b/);
      else expect(said.replaceAll("−", "-")).toBe(text);
    }
  });
});

test("[N28] params are said in the page's language: numbers, beats, steps, settings and reasons", () => {
  const german = translateWith("de", TABLES.de);
  const said = (text: string) => translateRun(german, text);
  expect(
    said(
      "A loop of 1 beat at 126.5 BPM lasts 1.25 s, but the file lasts 1 s: the last 0.25 s of the loop are silent.",
    ),
  ).toBe(
    "Ein Loop von 1 Beat bei 126,5 BPM dauert 1,25 s, die Datei aber nur 1 s: Die letzten 0,25 s des Loops sind still.",
  );
  expect(said("Live couldn't make the clip Kick: its clip slot is not empty.")).toBe(
    "Das hat in Live nicht geklappt: Clip „Kick“ anlegen (der Clip-Slot ist nicht leer).",
  );
  expect(said("Live couldn't make the track Kick: RuntimeError 7. Its empty track stays.")).toBe(
    "Das hat in Live nicht geklappt: Spur „Kick“ anlegen (RuntimeError 7). Die leere Spur bleibt stehen.",
  );
  expect(
    said("Dawproject couldn't put Kick into the file: kick.wav: not a WAV file. Export it as WAV."),
  ).toBe(
    "Das hat in Dawproject nicht geklappt: „Kick“ in die Datei schreiben (kick.wav: keine WAV-Datei. Exportiere sie als WAV).",
  );
  expect(said("This Live takes 8 tracks in a Set. This sound is in the sounds folder.")).toBe(
    "Dieses Live erlaubt 8 Spuren pro Set. Dieser Sound liegt im Soundordner.",
  );
  expect(said("The drive with Soundferry's folder isn't there. Plug it in and import again.")).toBe(
    "Das Laufwerk mit dem Ordner von Soundferry ist nicht da. Schließ es an und importiere noch einmal.",
  );
  expect(said("The folder name can't be read.")).toBe("Der Ordner name lässt sich nicht lesen.");
  expect(said("Not checked: track color, aura.")).toBe("Nicht geprüft: Farbe der Spur, aura.");
  expect(
    said(
      "A gain of +3.5 dB is applied in a copy of its file, because a track's volume goes from -18 to +6 dB.",
    ),
  ).toBe(
    "Die Lautstärke von +3,5 dB steckt in einer Kopie der Datei, weil eine Spur nur von −18 bis +6 dB reicht.",
  );
});

test("[N28] an unknown text stays as it is", () => {
  const german = translateWith("de", TABLES.de);
  for (const text of [
    "",
    "The moon is full.",
    "Live couldn't fold the clip Kick.",
    "The moon is full. Try again.",
    "Try again. The moon is full.",
  ]) {
    expect(translateRun(german, text)).toBe(text);
    expect(findRunSentences(text)).toBeUndefined();
  }
});

test("[N28] a sentence is made of its code, and braces in names aren't filled", () => {
  const live = "Live Lite";
  const made = runSentence("TRACKS_FULL", { live, count: 8 });
  expect(made).toBe("Live Lite takes 8 tracks in a Set. This sound is in the sounds folder.");
  expect(runSentence("IMPORT_RUNS", { title: "{title} {name}" })).toBe(
    "{title} {name} is being imported. Cancel that first.",
  );
  expect(translateRun(inEnglish, made)).toBe(made);
});
