import type { PAGE_PHONE as ENGLISH } from "../en/page-phone.ts";
import type { Translated } from "../message.ts";

export const PAGE_PHONE: Translated<typeof ENGLISH> = {
  "page.directions": "Senden oder empfangen",
  "page.send": "Senden",
  "page.receive": "Empfangen",
  "page.receiveInstead": "Nichts installiert? Öffne {address} in einem beliebigen Browser.",
  "page.isVideo": "Das ist der Ton eines Videos; das Bild wird nicht gesendet.",
  "page.noSound": "{file} ist ein Video ohne Ton.",
  "page.shareAgain":
    "Was geteilt wurde, ging verloren. Teile es noch einmal oder wähle die Dateien hier aus.",
  "page.chooseHere": "Wähle Sounds aus oder Videos, um deren Ton zu senden.",
};
