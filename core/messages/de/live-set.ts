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
  "run.SET_TOO_LARGE": "Diese Pakete sind zu viele für ein Set. Schreib weniger auf einmal.",
  "run.TEMPLATE_UNREADABLE": "Die Vorlage lässt sich nicht lesen.",
  "run.TEMPLATE_NOT_A_SET": "Die Vorlage ist kein Live-Set.",
  "run.TEMPLATE_OLD":
    "Die Vorlage stammt von einem älteren Live. Speicher sie in Live 11 oder neuer.",
  "run.TEMPLATE_BARE":
    "Die Vorlage braucht eine Audiospur mit einem Sound in einem Slot. Leg eine an und speicher sie.",
  "run.TEMPLATE_TIED":
    "Ein Gerät auf dem Master der Vorlage benutzt eine Spur. Entfern es und speicher das Set.",
  "run.TEMPLATE_FAULTY": "Die Vorlage ist nicht so, wie Live ein Set speichert, bei {path}.",
  "run.TEMPLATE_LACKS": "In der Vorlage fehlt {member} in {element}.",
  "run.NOT_IN_SET_FILE": "In der Set-Datei fehlt {name}.",
} as const;
