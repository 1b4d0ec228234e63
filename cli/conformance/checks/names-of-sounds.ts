import {
  amid,
  BIDI,
  CONTROLS,
  FAMILY,
  SURROGATES,
  type TextCase,
  type TextSent,
} from "./names-case.ts";

const SCRIPTS: readonly TextCase[] = Object.entries({
  Latin: ["Größe Čeština Ønske", "Tiếng Việt", "Łódź Ğ İ ǅ"],
  Greek: ["Τύμπανο", "Ἀρχὴ ᾠδῆς"],
  Cyrillic: ["Ударные", "Їжак Ћирилица й"],
  Arabic: ["طَبْلَة", "آهنگ"],
  Hebrew: ["תֹּף שִׁיר"],
  Devanagari: ["मृदंग", "क्षेत्र ज़ोर"],
  "other Indic letters": ["তবলা", "மிருதங்கம்"],
  Thai: ["ท่วงทำนอง"],
  Khmer: ["ស្គរ"],
  Han: ["鼓與貝斯"],
  Hangul: ["보컬 트랙"],
  Kana: ["ボーカル がっき"],
  Georgian: ["დრამი"],
  Ethiopic: ["ከበሮ"],
}).map(([script, texts]) => ({
  id: `name-${script.toLowerCase().replaceAll(" ", "-")}`,
  field: "name",
  words: `keeps ${script}, as NFC and without a warning`,
  texts: spelled(...texts),
}));

/** Names of sounds. First come those that are kept as they are, whose package the public specification knows, too. */
export const NAMES: readonly TextCase[] = [
  ...SCRIPTS,
  {
    id: "name-signs",
    field: "name",
    words: "keeps each sign of the list",
    texts: Array.from("_-().'&+#!", (sign) => `a${sign}b`),
  },
  {
    id: "name-astral",
    field: "name",
    words: "keeps letters above U+FFFF",
    texts: ["𐌲𐌿𐍄𐌹𐍃𐌺", "𞤀𞤣𞤤𞤢𞤥", "𠀀𠮷𪚥", "𐐔𐐯𐑅", "Kick 𐌲 𠀀"],
  },
  {
    id: "name-digits",
    field: "name",
    words: "keeps the decimal digits of every script",
    texts: ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۴۵۶", "०१२३४५", "০১২", "๐๑๒๓", "０１９", "𞥐𞥑"],
  },
  {
    id: "name-astral-counted",
    field: "name",
    words: "has room for 40 letters above U+FFFF",
    texts: ["𐌲".repeat(40), "𠀀".repeat(40), `${"x".repeat(39)}𐌲`],
  },
  {
    id: "name-composed-first",
    field: "name",
    words: "is counted after NFC",
    texts: [
      ["e\u0301".repeat(40), "é".repeat(40)],
      ["\u1100\u1161\u11a8".repeat(40), "각".repeat(40)],
      `${"x".repeat(37)}q\u0323\u0301`,
      `${"x".repeat(38)}कि`,
    ],
  },
  {
    id: "name-not-nfkc",
    field: "name",
    words: "is NFC and not NFKC",
    texts: ["ﬁﬂ", "ＡＢｃ", "ｶﾞ", "ªº", "ŉĳ", "ﷲ", "𝐀𝒷𝟎", ["\u212b\u2126\uf900", "Å\u03a9\u8c48"]],
  },
  {
    id: "name-spaces",
    field: "name",
    words: "loses spaces without a warning",
    texts: [
      ["  Deep     Kick  ", "Deep Kick"],
      [`${" ".repeat(2000)}Kick`, "Kick"],
      ["", null],
      ["     ", null],
    ],
  },
  {
    id: "name-cut",
    field: "name",
    words: "is cut after 40 code points",
    texts: [
      ["𐌲".repeat(41), "𐌲".repeat(40)],
      [`${"x".repeat(39)}𐌲y`, `${"x".repeat(39)}𐌲`],
      ["é".repeat(41).normalize("NFD"), "é".repeat(40)],
      [`${"x".repeat(39)} yz`, "x".repeat(39)],
    ],
    code: "TEXT_CUT",
  },
  {
    id: "name-cut-marks",
    field: "name",
    words: "is not cut between a letter and its marks",
    texts: [
      [`${"x".repeat(39)}q\u0323\u0301`, "x".repeat(39)],
      [`${"x".repeat(38)}q\u0323\u0301`, "x".repeat(38)],
      [`${"x".repeat(39)}कि`, "x".repeat(39)],
      [`${"x".repeat(38)}किx`, `${"x".repeat(38)}कि`],
      [`q${"\u0301".repeat(50)}`, `q${"\u0301".repeat(39)}`],
    ],
    code: "TEXT_CUT",
  },
  {
    id: "name-other-signs",
    field: "name",
    words: "has a space for every other sign",
    texts: [
      amid('"$%*,/:;<=>?'),
      amid("@[\\]^`{|}~"),
      amid("“”‘’–—…·«¿¡§€£°©±×÷"),
      amid("！＃＆（）－．＿＋"),
    ],
    code: "TEXT_CLEANED",
  },
  {
    id: "name-other-numbers",
    field: "name",
    words: "has a space for numbers that are no decimal digits",
    texts: between(["²", "½", "Ⅷ", "①", "™", "℃", "㎐"]),
    code: "TEXT_CLEANED",
  },
  {
    id: "name-emoji",
    field: "name",
    words: "has one space for emoji",
    texts: between(["🥁", FAMILY, "🥁🎹🎸", "👍🏽", "🇨🇦", " 🥁 "]),
    code: "TEXT_CLEANED",
  },
  {
    id: "name-bidi",
    field: "name",
    words: "has a space for bidi controls and other invisible characters",
    texts: [amid(BIDI), ["\u202egnp.exe", "gnp.exe"], amid("\u200b\u200c\u200d\u2060\ufeff\u00ad")],
    code: "TEXT_CLEANED",
  },
  {
    id: "name-other-spaces",
    field: "name",
    words: "has a plain space for spaces of other kinds",
    texts: [amid("\u00a0\u2002\u2003\u2009\u202f\u205f\u3000"), ["\u00a0\u3000Kick\u2003", "Kick"]],
    code: "open",
  },
  {
    id: "name-invisible",
    field: "name",
    words: "becomes the default if nothing visible is left",
    texts: ["🥁🥁", "²", "/\\:", "\u0301", "\ufe0f", "\u3164", "\u200b", BIDI].map((sent) => [
      sent,
      null,
    ]),
    code: "open",
  },
  {
    id: "name-controls",
    field: "name",
    words: "has a space for controls, line breaks and lone surrogates",
    texts: [amid(CONTROLS), ["a\r\nb", "a b"], ...between(SURROGATES), amid("\ufffe\u{10ffff}")],
    code: "TEXT_CLEANED",
  },
];

/** Each of them, composed and decomposed. */
function spelled(...texts: readonly string[]): readonly TextSent[] {
  const forms = texts.flatMap((text) => [text.normalize("NFC"), text.normalize("NFD")]);
  return [...new Set(forms)].map((form): TextSent => [form, form.normalize("NFC")]);
}

/** Each of these characters between two letters, where it becomes a space. */
function between(characters: string | readonly string[]): readonly TextSent[] {
  return Array.from(characters, (one): TextSent => [`a${one}b`, "a b"]);
}
