import type { Fault } from "./breaking-proxy.ts";
import {
  any,
  refuses,
  cuts,
  units,
  drops,
  changes,
  keeps,
  unwarned,
  warned,
  length,
  type Json,
} from "./edge-fault-kinds.ts";
import { ANNOUNCE, is } from "./tools.ts";

/** Relays that keep, cut, drop or warn about a value on the wrong side of its limit. */
export const FIELD_FAULTS: readonly Fault[] = [
  cuts("M4", "titles cut to 59 characters", "title", 59, ["M6"]),
  cuts("M4", "names cut to 39 characters", "name", 39, ["M6"]),
  cuts("M4", "names of apps cut to 39 characters", "source.app", 39, ["M6"]),
  cuts("M4", "versions cut to 39 characters", "source.app_version", 39, ["M6"]),
  cuts("M4", "platforms cut to 39 characters", "source.platform", 39, ["M6"]),
  keeps("M4", "titles of any length", "title", (value) => length(value) > 60, ["M6"]),
  keeps("M4", "a title of 61 characters", "title", (value) => length(value) === 61, ["M6"]),
  keeps("M4", "a name of 41 characters", "name", (value) => length(value) === 41, ["M6"]),
  keeps("M4", "an app's name of 41 characters", "source.app", (value) => length(value) === 41, [
    "M6",
  ]),
  keeps("M4", "a platform of 41 characters", "source.platform", (value) => length(value) === 41, [
    "M6",
  ]),
  units("M6", "titles that are counted in UTF-16 units", "title", 60),
  { ...units("M6", "names that are counted in UTF-16 units", "name", 40), also: ["M5"] },
  units("M6", "names of apps that are counted in UTF-16 units", "source.app", 40),
  drops("M4", "tempos above 20", "tempo.bpm", (value) => value === 20),
  drops("M4", "tempos below 999", "tempo.bpm", (value) => value === 999),
  keeps("M4", "a tempo of 19.9", "tempo.bpm", (value) => value > 19 && value < 20),
  keeps("M4", "a tempo above 999", "tempo.bpm", (value) => value > 999 && value < 1000),
  drops("M4", "loops above 20 bpm", "bpm", (value) => value === 20),
  drops("M4", "loops below 999 bpm", "bpm", (value) => value === 999),
  keeps("M4", "a loop of 19.9 bpm", "bpm", (value) => value > 19 && value < 20),
  keeps("M4", "a loop above 999 bpm", "bpm", (value) => value > 999 && value < 1000),
  drops("M4", "loops of less than 4096 beats", "length_beats", (value) => value === 4096),
  drops("M4", "no loop shorter than a beat", "length_beats", (value) => value > 0 && value < 1),
  keeps("M4", "a loop of 4096.5 beats", "length_beats", (value) => value > 4096),
  keeps("M4", "a loop of 0 beats", "length_beats", (value) => value === 0),
  changes("M4", "gains below 24 dB", "gain_db", (value) => value === 24, 23.9),
  changes("M4", "gains above -70 dB", "gain_db", (value) => value === -70, -69.9),
  keeps("M4", "a gain above 24 dB", "gain_db", (value) => value > 24),
  keeps("M4", "a gain below -70 dB", "gain_db", (value) => value < -70),
  drops("M4", "time signatures from 2 on", "tempo.time_signature", (value) => value[0] === 1),
  keeps("M4", "a time signature with a 0", "tempo.time_signature", (value) => value.includes(0)),

  unwarned("M4", "no warning on a title of 61 characters", "title", "TEXT_CUT", ["M6"]),
  unwarned("M4", "no warning on a tempo out of range", "tempo.bpm", "VALUE_IGNORED"),
  unwarned("M4", "no warning on a clamped gain", "gain_db", "VALUE_CLAMPED"),
  unwarned("M4", "no warning on a length out of range", "length_beats", "VALUE_IGNORED"),
  unwarned("M4", "no warning on a package_id of 101 characters", "package_id", "VALUE_IGNORED"),
  unwarned("M7", "no warning on a replaced id", "id", "ID_REPLACED"),
  warned("M5", "a warning on a gain at its limit", "gain_db", (value) => value === 24),
  warned(
    "M5",
    "a warning on a package_id of 100 characters",
    "package_id",
    (value) => length(value) === 100,
  ),

  changes("M7", "ids below 100 characters", "id", (value) => length(value) === 100, "short"),
  keeps("M7", "an id of 101 characters", "id", (value) => length(value) === 101),
  refuses(
    "M7",
    "a refusal of an id of 101 characters",
    (sent) => any(sent, "id", (id) => length(id) > 100),
    "ITEM_NOT_OBJECT",
  ),
  {
    rule: "M5",
    what: "101 warnings",
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || json?.warnings?.length !== 100) return;
      const { code } = json.warnings[99];
      if (code === "MORE_WARNINGS") json.warnings.push({ code, message: "There is 1 more." });
    },
  },
  {
    rule: "M5",
    what: "99 warnings and a count of the 100th",
    answer: ({ json }, asked) => {
      if (!is(asked, "POST", ANNOUNCE) || json?.warnings?.length !== 100) return;
      if (json.warnings[99].code === "MORE_WARNINGS") return;
      json.warnings[99] = { code: "MORE_WARNINGS", message: "There are 1 more warnings." };
    },
  },
  {
    rule: "M5",
    what: "warnings with whole names of properties",
    seesBody: ANNOUNCE,
    answer: ({ json }, asked) => {
      const long = Object.keys(Object(asked.sent)).find((name) => name.length > 200);
      const warning = json?.warnings?.find((one: Json) => one.code === "PROPERTY_UNKNOWN");
      if (long !== undefined && warning) warning.message += long;
    },
  },
];
