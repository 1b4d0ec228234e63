import type { LIVE_SET_FILE as ENGLISH } from "../en/live-set.ts";
import type { Translated } from "../message.ts";

export const LIVE_SET_FILE: Translated<typeof ENGLISH> = {
  "format.host-live-set": "eine Live-Set-Datei",
};

/** A part of the sentences of imports. */
export const LIVE_SET_RUN = {
  "run.SET_UNTRIED":
    "In einer Live-Set-Datei: experimentell, noch nie in einem echten Live geöffnet.",
  "run.SET_TEMPO_ASSUMED":
    "Eine Set-Datei kann das Tempo nicht offenlassen: Der Clip hat das Tempo des Sets.",
  "run.SET_FILLED":
    "Eine Set-Datei kann das Tempo nicht offenlassen: Die Datei ist auf {beats} gewarpt.",
  "run.SET_METER_UNKNOWN": "Live kennt die Taktart {meter} nicht, deshalb ist das Set im 4/4-Takt.",
  "run.SET_INT_32":
    "{file} enthält 32-Bit-Ganzzahlen, die Live ablehnt. Exportier den Sound mit 24 Bit.",
  "run.NOT_IN_SET_FILE": "In der Set-Datei fehlt {name}.",
} as const;
