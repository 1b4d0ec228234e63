import type { PAGE_PHONE as ENGLISH } from "../en/page-phone.ts";
import type { Translated } from "../message.ts";

export const PAGE_PHONE: Translated<typeof ENGLISH> = {
  "page.directions": "Envoyer ou recevoir",
  "page.send": "Envoyer",
  "page.receive": "Recevoir",
  "page.receiveInstead": "Rien d’installé ? Ouvre {address} dans n’importe quel navigateur.",
  "page.isVideo": "C’est le son d’une vidéo ; l’image n’est pas envoyée.",
  "page.noSound": "{file} est une vidéo sans son.",
  "page.shareAgain":
    "Ce qui a été partagé s’est perdu. Partage-le de nouveau, ou choisis les fichiers ici.",
  "page.chooseHere": "Choisis des sons, ou des vidéos pour envoyer leur son.",
};
