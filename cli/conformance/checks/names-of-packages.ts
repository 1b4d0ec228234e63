import {
  amid,
  BIDI,
  CONTROLS,
  FAMILY,
  SURROGATES,
  type TextCase,
  type TextField,
} from "./names-case.ts";

/** Texts of which each package has one. First come those that are kept as they are. */
export const PACKAGE_TEXTS: readonly TextCase[] = [
  {
    id: "title-emoji",
    field: "title",
    words: "keeps emoji and their joiners",
    texts: [
      `🥁 ${FAMILY} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 🇨🇦`,
    ],
  },
  {
    id: "title-printable",
    field: "title",
    words: "keeps every printable character, as NFC and not NFKC",
    texts: [
      [
        '100% «E\u0301te\u0301» — 5/5 <b> @*?"| ½ ² Ⅷ ﬁ Ａ ™',
        '100% «Été» — 5/5 <b> @*?"| ½ ² Ⅷ ﬁ Ａ ™',
      ],
    ],
  },
  {
    id: "title-scripts",
    field: "title",
    words: "keeps every script",
    texts: [["Ночь 夜 ليل לילה रात 밤 ยาม 𐌲 𠀀 e\u0301", "Ночь 夜 ليل לילה रात 밤 ยาม 𐌲 𠀀 é"]],
  },
  {
    id: "title-spaces",
    field: "title",
    words: "loses spaces without a warning",
    texts: [["\u00a0 Night     Drive \u3000", "Night Drive"]],
  },
  {
    id: "title-blank",
    field: "title",
    words: "that is blank becomes the default without a warning",
    texts: [[" \u3000 ", null]],
  },
  {
    id: "title-bidi",
    field: "title",
    words: "has a space for bidi controls",
    texts: [amid(BIDI)],
    code: "TEXT_CLEANED",
  },
  {
    id: "title-controls",
    field: "title",
    words: "has a space for controls and line breaks",
    texts: [amid(CONTROLS)],
    code: "TEXT_CLEANED",
  },
  {
    id: "title-broken",
    field: "title",
    words: "has a space for lone surrogates, noncharacters and what is invisible",
    texts: [amid([...SURROGATES, "\ufffe", "\u{10ffff}", "\u200b", "\u2060", "\ufeff"])],
    code: "TEXT_CLEANED",
  },
  {
    id: "title-cut",
    field: "title",
    words: "is cut to 60 code points, and never within what displays as one character",
    texts: [[`${"🥁".repeat(59)}${FAMILY}`, "🥁".repeat(59)]],
    code: "TEXT_CUT",
  },
  {
    id: "title-invisible",
    field: "title",
    words: "becomes the default if nothing visible is left",
    texts: [["\u200b\u0301\ufe0f\u202e", null]],
    code: "open",
  },
  {
    id: "app-kept",
    field: "source.app",
    words: "keeps letters, digits and signs of the list, as NFC and not NFKC",
    texts: [["Cafe\u0301 𐌲 ﬁ Ａ ٣ (a) _-.'&+#!", "Café 𐌲 ﬁ Ａ ٣ (a) _-.'&+#!"], "𐌲".repeat(40)],
  },
  {
    id: "app-cleaned",
    field: "source.app",
    words: "has a space for everything else",
    texts: [amid(["🥁", "²", "/", "’", "\u202e", "\0", "\n", "\ud800", "\u200b"])],
    code: "TEXT_CLEANED",
  },
  {
    id: "app-cut",
    field: "source.app",
    words: "is cut like a name",
    texts: [
      ["𐌲".repeat(41), "𐌲".repeat(40)],
      [`${"x".repeat(39)}q\u0323\u0301`, "x".repeat(39)],
    ],
    code: "TEXT_CUT",
  },
  {
    id: "app-default",
    field: "source.app",
    words: "becomes the default if nothing visible is left",
    texts: [["🥁", null]],
    code: "open",
  },
  ...(["source.app_version", "source.platform"] as const).flatMap(logged),
];

/** The cases of a text that is cleaned like a title, at 40 code points. */
function logged(field: TextField): readonly TextCase[] {
  const id = field.replace(/.*[._]/, "");
  return [
    {
      id: `${id}-kept`,
      field,
      words: "keeps every printable character",
      texts: [
        [`${FAMILY} 2/3 ² e\u0301 ﬁ`, `${FAMILY} 2/3 ² é ﬁ`],
        "🥁".repeat(40),
        ["e\u0301".repeat(40), "é".repeat(40)],
      ],
    },
    {
      id: `${id}-cleaned`,
      field,
      words: "has a space for what can't be printed",
      texts: [amid(["\u202e", "\u2066", "\0", "\n", "\u2028", "\ud800", "\u200b"])],
      code: "TEXT_CLEANED",
    },
    {
      id: `${id}-cut`,
      field,
      words: "is cut to 40 code points",
      texts: [[`${"🥁".repeat(39)}${FAMILY}`, "🥁".repeat(39)]],
      code: "TEXT_CUT",
    },
  ];
}
