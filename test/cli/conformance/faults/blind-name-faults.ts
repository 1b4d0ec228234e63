import type { Break, Fault } from "./breaking-proxy.ts";
import {
  announcing,
  announcingSounds,
  changeText,
  cutTo,
  listing,
  listingSounds,
  remembering,
  soundsOf,
} from "./blind-tools.ts";

/** Names without what matches: the relay makes a space of it, as of any character that isn't allowed. */
function namesWithout(pattern: RegExp): Break {
  return announcingSounds((sound) =>
    changeText(sound, "name", (name) => name.normalize("NFC").replace(pattern, "*")),
  );
}

function titles(change: (title: string) => string): Break {
  return announcing((manifest) => changeText(manifest, "title", change));
}

const MARK = /^\p{M}$/u;

/** Faults in how names and titles are cleaned. */
export const NAME_FAULTS: readonly Fault[] = [
  {
    rule: "M6",
    what: "names without letters beyond U+FFFF",
    ...namesWithout(/[\u{10000}-\u{10ffff}]/gu),
  },
  { rule: "M6", what: "names without letters that have no case", ...namesWithout(/\p{Lo}/gu) },
  {
    rule: "M6",
    what: "names without modifier letters, such as ー and 々",
    ...namesWithout(/\p{Lm}/gu),
  },
  { rule: "M6", what: "names without titlecase letters, such as ǅ", ...namesWithout(/\p{Lt}/gu) },
  {
    rule: "M6",
    what: "names without spacing marks, such as the vowels of Devanagari",
    ...namesWithout(/\p{Mc}/gu),
  },
  {
    rule: "M6",
    what: "names without accents that have no composed letter",
    ...namesWithout(/\p{Mn}/gu),
  },
  { rule: "M6", what: "names without Hangul", ...namesWithout(/\p{Script=Hangul}/gu) },
  { rule: "M6", what: "names without Georgian", ...namesWithout(/\p{Script=Georgian}/gu) },
  { rule: "M6", what: "names without Thai", ...namesWithout(/\p{Script=Thai}/gu) },
  {
    rule: "M6",
    what: "names without digits other than 0 to 9",
    ...namesWithout(/(?![0-9])\p{Nd}/gu),
  },
  { rule: "M6", what: "names without +, as in a form", ...namesWithout(/\+/g) },
  { rule: "M6", what: "names without parentheses", ...namesWithout(/[()]/g) },
  {
    rule: "M6",
    what: "names in NFKC",
    ...announcingSounds((sound) => changeText(sound, "name", (name) => name.normalize("NFKC"))),
  },
  {
    rule: "M6",
    what: "names in NFD",
    ...listingSounds((sound) => changeText(sound, "name", (name) => name.normalize("NFD"))),
  },
  {
    rule: "M6",
    what: "names escaped for HTML",
    ...listingSounds((sound) =>
      changeText(sound, "name", (name) => name.replaceAll("&", "&amp;").replaceAll("'", "&#39;")),
    ),
  },
  {
    rule: "M6",
    what: "a name cut between a letter and its mark",
    ...announcingSounds((sound) =>
      changeText(sound, "name", (name) => {
        const points = Array.from(name.normalize("NFC"));
        return MARK.test(points[40] ?? "") ? points.slice(0, 40).join("") : name;
      }),
    ),
  },
  {
    rule: "M6",
    what: "names that keep fractions and superscript digits",
    plant: remembering(({ manifest }, sent) => {
      soundsOf(manifest).forEach((sound, index) => {
        const name: unknown = soundsOf(sent)[index]?.name;
        if (typeof name === "string" && name.length <= 40 && /\p{No}/u.test(name))
          sound.name = name;
      });
    }),
  },
  {
    rule: "M6",
    what: "names that keep several spaces in a row",
    plant: remembering(({ manifest }, sent) => {
      soundsOf(manifest).forEach((sound, index) => {
        const name: unknown = soundsOf(sent)[index]?.name;
        if (typeof name === "string" && /^[\w ]{1,40}$/.test(name) && /\S {2,}\S/.test(name)) {
          sound.name = name.trim();
        }
      });
    }),
  },
  {
    rule: "M6",
    what: "a default name counted from 0 for a name of nothing but signs",
    plant: remembering(({ manifest }, sent) => {
      soundsOf(manifest).forEach((sound, index) => {
        const name: unknown = soundsOf(sent)[index]?.name;
        if (
          typeof name === "string" &&
          name.trim() !== "" &&
          sound.name === `Sound ${index + 1}` &&
          name !== sound.name
        ) {
          sound.name = `Sound ${index}`;
        }
      });
    }),
  },
  {
    rule: "M6",
    what: "bidirectional controls kept in a title",
    plant: remembering(({ manifest }, sent) => {
      if (
        typeof sent.title === "string" &&
        /[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u.test(sent.title)
      ) {
        manifest.title = cutTo(sent.title.trim(), 60);
      }
    }),
  },
  {
    rule: "M6",
    what: "titles without emoji",
    ...titles((title) => title.replace(/\p{Emoji_Presentation}/gu, " ")),
  },
  {
    rule: "M6",
    what: "titles without the joiners of emoji",
    ...titles((title) => title.replaceAll("\u{200d}", "")),
  },
  {
    rule: "M6",
    what: "titles cut within an emoji",
    ...titles((title) => {
      const points = Array.from(title);
      return points.length > 60 && /\p{Emoji_Modifier}|\u{200d}|\u{fe0f}/u.test(points[60] ?? "")
        ? points.slice(0, 60).join("")
        : title;
    }),
  },
  {
    rule: "M6",
    what: "lone surrogates of a title shown as U+FFFD",
    ...titles((title) => title.toWellFormed()),
  },
  {
    rule: "M6",
    what: "line breaks kept in a title",
    plant: remembering(({ manifest }, sent) => {
      if (typeof sent.title === "string" && /\S\n\S/.test(sent.title) && sent.title.length <= 60) {
        manifest.title = sent.title.trim();
      }
    }),
  },
  {
    rule: "M6",
    what: "the source's app cleaned like a title",
    plant: remembering(({ manifest }, sent) => {
      const app: unknown = sent.source?.app;
      if (typeof app === "string" && /^[\x20-\x7e]{1,40}$/.test(app))
        manifest.source.app = app.trim();
    }),
  },
  {
    rule: "M4",
    what: "Untitled missing where no title was sent",
    ...listing(({ manifest }) => {
      if (manifest.title === "Untitled") delete manifest.title;
    }),
  },
];
