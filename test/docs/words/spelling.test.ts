import { expect, test } from "vitest";
import { readTracked } from "./tracked-texts.ts";

/** Stems that only British spelling has. */
const BRITISH = new RegExp(
  [
    "colour|favour|honour|neighbour|behaviour|flavour|labour|rumour|licence|defence|offence",
    String.raw`\bgrey|centre|\bmetres?\b|\blitres?\b|fibre|theatre|catalogue|artefact|judgement|acknowledgement`,
    "(?:organ|recogn|initial|normal|serial|summar|minim|maxim|optim|synchron|author|custom|priorit|standard|categor)is(?:e|ing|ation)",
    "(?:general|special|emphas|apolog|capital|local|visual|random|quant|sanit|token|util|final)is(?:e[sd]?\\b|ing|ation)",
    String.raw`analys(?:e[sd]?\b|ing)|(?:label|level|travel|model|signal|total|fuel|dial|channel|tunnel)l(?:ed|ing)`,
    String.raw`\bfulfil(?:s|ment)?\b|\btowards\b|\bwhilst\b|\bamongst\b|ageing|(?:\b|mis)spelt\b|\blearnt\b|skilful|practis(?:e|ing)`,
  ].join("|"),
  "gi",
);

/** Files that may have any spelling. */
const EXEMPT: readonly (readonly [files: RegExp, reason: string])[] = [
  [/^test\/docs\/words\//, "the lists of refused words"],
  [/^fixtures\/packages\//, "what apps sent, which stays as it is"],
  [/^core\/messages\/(?!en\/)\w+\//, "sentences in other languages"],
  [/^CHANGELOG\.md$/, "what earlier versions said"],
  [/\.generated\./, "made by a tool"],
];

/** Text that keeps its spelling. */
const KEPT: readonly (readonly [text: RegExp, reason: string])[] = [
  [/aria-?labelledby/gi, "an attribute of HTML"],
  [/(?:Launch|Global|Auto)Quantisation/g, "members of a Live Set"],
  [/AnalyserNode|createAnalyser/g, "a part of the Web Audio API"],
  [/explicit-warp-and-colours/g, "the name of a fixture"],
  [/colour_of_cover|colour-(?:word|short)\.wav|Colour (?:as a word|too short)/g, "in a fixture"],
  [/unlabelled-break|Unlabelled Break/g, "in a fixture"],
  [/colour_index/g, "a name that the wrong script misspells"],
];

function isChecked(file: string): boolean {
  return /\.(?:tsx?|py|md|css|html)$/.test(file) && !EXEMPT.some(([path]) => path.test(file));
}

test("code, documents and pages have American spelling", () => {
  const found = readTracked(isChecked).flatMap(({ file, text }) => {
    // Few files have one, and a look at the whole file is quicker than at each line.
    if (text.search(BRITISH) < 0) return [];
    return text.split("\n").flatMap((line, index) => {
      const rest = KEPT.reduce((kept, [name]) => kept.replace(name, ""), line);
      return [...rest.matchAll(BRITISH)].map(([word]) => `${file}:${index + 1} ${word}`);
    });
  });
  expect(found).toEqual([]);
});
