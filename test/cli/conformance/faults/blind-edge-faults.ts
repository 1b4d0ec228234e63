import type { Answered, Asked, Fault } from "./breaking-proxy.ts";
import { ANNOUNCE, becomes, inventedPackage, is } from "./tools.ts";
import {
  announcing,
  announcingSounds,
  changeNumber,
  changeText,
  cutTo,
  type Json,
  listing,
  listingSounds,
  refusing,
  soundsOf,
  refused,
} from "./blind-tools.ts";

const MAX_BYTES = 209715200;

function totalOf(manifest: Json): number {
  return soundsOf(manifest).reduce((total: number, { bytes }) => total + Number(bytes), 0);
}

function announcesAnyway(code: string, when: (manifest: Json) => boolean) {
  return (answered: Answered, asked: Asked): void => {
    if (!is(asked, "POST", ANNOUNCE) || answered.json?.code !== code) return;
    if (when(asked.sent)) becomes(answered, 201, inventedPackage());
  };
}

function keyLength({ headers }: Asked): number {
  return String(headers["idempotency-key"] ?? "").length;
}

/** Faults at the limits of what is sent. */
export const EDGE_FAULTS: readonly Fault[] = [
  {
    rule: "M7",
    what: "ids of 100 characters replaced as too long",
    ...announcingSounds((sound) =>
      changeText(sound, "id", (id) => (id.length === 100 ? `${id}x` : id)),
    ),
  },
  {
    rule: "M7",
    what: "ids cut to 64 characters without a word",
    ...announcingSounds((sound) =>
      changeText(sound, "id", (id) => (id.length > 100 ? id : cutTo(id, 64))),
    ),
  },
  {
    rule: "M1",
    what: "fewer than 32 sounds a package",
    ...refusing(({ items }) => Array.isArray(items) && items.length === 32, "ITEMS_TOO_MANY"),
  },
  {
    rule: "M1",
    what: "the 33rd sound left out instead of a refusal",
    ...announcing((manifest) => {
      if (Array.isArray(manifest.items) && manifest.items.length > 32) manifest.items.length = 32;
    }),
  },
  {
    rule: "M9",
    what: "Idempotency-Keys of at most 128 characters",
    ask: (asked) =>
      is(asked, "POST", ANNOUNCE) && keyLength(asked) > 128
        ? refused(asked, 422, "IDEMPOTENCY_KEY_WRONG")
        : undefined,
  },
  {
    rule: "M9",
    what: "longer Idempotency-Keys cut to 200 characters",
    ask: (asked) => {
      if (keyLength(asked) > 200) {
        asked.headers["idempotency-key"] = String(asked.headers["idempotency-key"]).slice(0, 200);
      }
      return undefined;
    },
  },
  {
    rule: "M1",
    what: "bodies of at most 1,000,000 bytes",
    seesBody: true,
    ask: (asked) =>
      (asked.body?.byteLength ?? 0) > 1_000_000 && (asked.body?.byteLength ?? 0) <= 1024 * 1024
        ? refused(asked, 413, "BODY_TOO_LARGE")
        : undefined,
  },
  {
    rule: "M1",
    what: "manifests of up to 2 MiB",
    seesBody: true,
    ask: (asked) => {
      const bytes = asked.body?.byteLength ?? 0;
      if (!is(asked, "POST", ANNOUNCE) || bytes <= 1024 * 1024 || bytes > 2 * 1024 * 1024)
        return undefined;
      asked.body = Buffer.from(
        JSON.stringify(asked.sent, (_, value: unknown) =>
          typeof value === "string" ? value.slice(0, 4096) : value,
        ),
      );
      return undefined;
    },
  },
  {
    rule: "M4",
    what: "a tempo that must be above 20",
    ...announcing(({ tempo }) => changeNumber(tempo, "bpm", (bpm) => (bpm === 20 ? 19.9 : bpm))),
  },
  {
    rule: "M4",
    what: "a sound's bpm that must be below 999",
    ...announcingSounds((sound) =>
      changeNumber(sound, "bpm", (bpm) => (bpm === 999 ? 999.1 : bpm)),
    ),
  },
  {
    rule: "M4",
    what: "a tempo out of range limited to 20 and 999, as the gain is",
    ...announcing(({ tempo }) =>
      changeNumber(tempo, "bpm", (bpm) => Math.min(999, Math.max(20, bpm))),
    ),
  },
  {
    rule: "M4",
    what: "a sound's bpm of 19.5 rounded into the range",
    ...announcingSounds((sound) =>
      changeNumber(sound, "bpm", (bpm) => (bpm >= 19.5 && bpm < 20 ? 20 : bpm)),
    ),
  },
  {
    rule: "M4",
    what: "whole tempi for the importer",
    ...listing(({ manifest }) => {
      changeNumber(manifest.tempo, "bpm", Math.round);
      soundsOf(manifest).forEach((sound) => changeNumber(sound, "bpm", Math.round));
    }),
  },
  {
    rule: "M4",
    what: "loops shorter than 4096 beats only",
    ...announcingSounds((sound) =>
      changeNumber(sound, "length_beats", (beats) => (beats === 4096 ? 4097 : beats)),
    ),
  },
  {
    rule: "M4",
    what: "a length of 4096.5 beats taken for 4096",
    ...announcingSounds((sound) =>
      changeNumber(sound, "length_beats", (beats) => (beats > 4096 && beats < 4097 ? 4096 : beats)),
    ),
  },
  {
    rule: "M4",
    what: "whole beats for the importer",
    ...listingSounds((sound) =>
      changeNumber(sound, "length_beats", (beats) => Math.max(1, Math.round(beats))),
    ),
  },
  {
    rule: "M3",
    what: "names of files of at most 99 characters",
    ...refusing(
      (manifest) =>
        soundsOf(manifest).some(({ file }) => typeof file === "string" && file.length === 100),
      "FILE_NAME_WRONG",
    ),
  },
  {
    rule: "M3",
    what: "names of files with 100 characters before .wav",
    seesBody: true,
    answer: announcesAnyway("FILE_NAME_WRONG", (manifest) =>
      soundsOf(manifest).some(
        ({ file }) => typeof file === "string" && /^\w{97,100}\.wav$/.test(file),
      ),
    ),
  },
  {
    rule: "M3",
    what: "a package that must be smaller than 200 MB",
    ...refusing((manifest) => totalOf(manifest) === MAX_BYTES, "TOTAL_TOO_LARGE"),
  },
  {
    rule: "M3",
    what: "a package of a byte over 200 MB",
    seesBody: true,
    answer: announcesAnyway("TOTAL_TOO_LARGE", (manifest) => totalOf(manifest) <= MAX_BYTES + 4096),
  },
  {
    rule: "M3",
    what: "files of at least 44 bytes only",
    ...refusing(
      (manifest) => soundsOf(manifest).some(({ bytes }) => bytes > 0 && bytes < 44),
      "BYTES_WRONG",
    ),
  },
  {
    rule: "M4",
    what: "a gain out of range ignored",
    ...announcingSounds((sound) =>
      changeNumber(sound, "gain_db", (gain) => (gain > 24 || gain < -70 ? "ignored" : gain)),
    ),
  },
  {
    rule: "M4",
    what: "gains of whole dB for the importer",
    ...listingSounds((sound) => changeNumber(sound, "gain_db", Math.trunc)),
  },
  {
    rule: "M6",
    what: "a title's length counted in UTF-16 units",
    ...announcing((manifest) =>
      changeText(manifest, "title", (title) =>
        Array.from(title).length <= 60 && title.length > 60
          ? title.slice(0, 60).toWellFormed().replaceAll("\u{fffd}", "")
          : title,
      ),
    ),
  },
  {
    rule: "M6",
    what: "names cut to 39 letters",
    ...listingSounds((sound) => changeText(sound, "name", (name) => cutTo(name, 39))),
  },
  {
    rule: "M4",
    what: "longer names cut without a warning",
    ...announcingSounds((sound) => changeText(sound, "name", (name) => cutTo(name, 40))),
  },
  {
    rule: "M6",
    what: "an app's name of 32 letters at most in source",
    ...listing(({ manifest }) => changeText(manifest.source, "app", (app) => cutTo(app, 32))),
  },
];
