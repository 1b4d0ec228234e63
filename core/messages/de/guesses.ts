import type { Translated } from "../message.ts";
import type { GUESSES as ENGLISH } from "../en/guesses.ts";

/** In German. */
export const GUESSES: Translated<typeof ENGLISH> = {
  "guess.word_loop": "„{text}“ im Namen spricht für einen Loop.",
  "guess.word_oneshot": "„{text}“ im Namen spricht für einen One-Shot.",
  "guess.folder_loop": "Der Ordner spricht für einen Loop.",
  "guess.folder_oneshot": "Der Ordner spricht für einen One-Shot.",
  "guess.short": "Für einen Loop ist er zu kurz.",
  "guess.note": "Der Name nennt einen einzelnen Ton oder Akkord.",
  "guess.chunk": "Laut der Datei ist es ein One-Shot.",
  "guess.no_tempo": "Die Länge passt zu keinem Tempo.",
  "guess.nothing": "Weder Name noch Länge sagen, ob es ein Loop ist.",
  "guess.tempo_unknown": "Das Tempo ist unbekannt.",
  "guess.in_name": {
    one: "„{text}“ im Namen; {count} Beat passt zur Länge.",
    other: "„{text}“ im Namen; {count} Beats passen zur Länge.",
  },
  "guess.in_name_tail": {
    one: "„{text}“ im Namen; {count} Beat, der Rest klingt aus.",
    other: "„{text}“ im Namen; {count} Beats, der Rest klingt aus.",
  },
  "guess.near_name": {
    one: "„{text}“ im Namen kommt hin; {count} Beat füllt die Datei.",
    other: "„{text}“ im Namen kommt hin; {count} Beats füllen die Datei.",
  },
  "guess.in_folder": {
    one: "„{text}“ im Ordnernamen; {count} Beat passt zur Länge.",
    other: "„{text}“ im Ordnernamen; {count} Beats passen zur Länge.",
  },
  "guess.in_folder_tail": {
    one: "„{text}“ im Ordnernamen; {count} Beat, der Rest klingt aus.",
    other: "„{text}“ im Ordnernamen; {count} Beats, der Rest klingt aus.",
  },
  "guess.near_folder": {
    one: "„{text}“ im Ordnernamen kommt hin; {count} Beat füllt die Datei.",
    other: "„{text}“ im Ordnernamen kommt hin; {count} Beats füllen die Datei.",
  },
  "guess.package": {
    one: "{count} Beat im Tempo des Pakets passt zur Länge.",
    other: "{count} Beats im Tempo des Pakets passen zur Länge.",
  },
  "guess.count": { one: "Der Name nennt {count} Beat.", other: "Der Name nennt {count} Beats." },
  "guess.acid": {
    one: "Die Datei nennt {count} Beat (ACID), und die Länge stimmt damit überein.",
    other: "Die Datei nennt {count} Beats (ACID), und die Länge stimmt damit überein.",
  },
  "guess.length": {
    one: "Die Länge passt genau zu {count} Beat.",
    other: "Die Länge passt genau zu {count} Beats.",
  },
  "guess.region": {
    one: "Die Datei bezeichnet {count} Beat als Loop.",
    other: "Die Datei bezeichnet {count} Beats als Loop.",
  },
  "guess.smpl": {
    one: "Laut der Datei ist sie ein ganzer Loop; {count} Beat ist wahrscheinlich.",
    other: "Laut der Datei ist sie ein ganzer Loop; {count} Beats sind wahrscheinlich.",
  },
  "guess.likely": {
    one: "Nach der Länge ist {count} Beat wahrscheinlich.",
    other: "Nach der Länge sind {count} Beats wahrscheinlich.",
  },
};
