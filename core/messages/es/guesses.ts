import type { Translated } from "../message.ts";
import type { GUESSES as ENGLISH } from "../en/guesses.ts";

/** In Spanish. */
export const GUESSES: Translated<typeof ENGLISH> = {
  "guess.word_loop": "«{text}» en el nombre indica un loop.",
  "guess.word_oneshot": "«{text}» en el nombre indica un one-shot.",
  "guess.folder_loop": "Su carpeta indica un loop.",
  "guess.folder_oneshot": "Su carpeta indica un one-shot.",
  "guess.short": "Es demasiado corto para un loop.",
  "guess.note": "Su nombre es el de una sola nota o acorde.",
  "guess.chunk": "El archivo dice que es un one-shot.",
  "guess.no_tempo": "Su duración no encaja con ningún tempo.",
  "guess.nothing": "Ni el nombre ni la duración dicen si es un loop.",
  "guess.tempo_unknown": "Su tempo es desconocido.",
  "guess.in_name": {
    one: "«{text}» en el nombre; {count} tiempo encaja con la duración.",
    other: "«{text}» en el nombre; {count} tiempos encajan con la duración.",
  },
  "guess.in_name_tail": {
    one: "«{text}» en el nombre; {count} tiempo, el resto es la cola.",
    other: "«{text}» en el nombre; {count} tiempos, el resto es la cola.",
  },
  "guess.near_name": {
    one: "«{text}» en el nombre se acerca; {count} tiempo llena el archivo.",
    other: "«{text}» en el nombre se acerca; {count} tiempos llenan el archivo.",
  },
  "guess.in_folder": {
    one: "«{text}» en el nombre de la carpeta; {count} tiempo encaja con la duración.",
    other: "«{text}» en el nombre de la carpeta; {count} tiempos encajan con la duración.",
  },
  "guess.in_folder_tail": {
    one: "«{text}» en el nombre de la carpeta; {count} tiempo, el resto es la cola.",
    other: "«{text}» en el nombre de la carpeta; {count} tiempos, el resto es la cola.",
  },
  "guess.near_folder": {
    one: "«{text}» en el nombre de la carpeta se acerca; {count} tiempo llena el archivo.",
    other: "«{text}» en el nombre de la carpeta se acerca; {count} tiempos llenan el archivo.",
  },
  "guess.package": {
    one: "{count} tiempo al tempo del paquete encaja con la duración.",
    other: "{count} tiempos al tempo del paquete encajan con la duración.",
  },
  "guess.count": {
    one: "El nombre indica {count} tiempo.",
    other: "El nombre indica {count} tiempos.",
  },
  "guess.acid": {
    one: "El archivo indica {count} tiempo (ACID), y su duración coincide.",
    other: "El archivo indica {count} tiempos (ACID), y su duración coincide.",
  },
  "guess.length": {
    one: "Su duración encaja exactamente con {count} tiempo.",
    other: "Su duración encaja exactamente con {count} tiempos.",
  },
  "guess.region": {
    one: "El archivo marca {count} tiempo como loop.",
    other: "El archivo marca {count} tiempos como loop.",
  },
  "guess.smpl": {
    one: "El archivo dice que es un loop entero; {count} tiempo es probable.",
    other: "El archivo dice que es un loop entero; {count} tiempos son probables.",
  },
  "guess.likely": {
    one: "Por su duración, {count} tiempo es probable.",
    other: "Por su duración, {count} tiempos son probables.",
  },
};
