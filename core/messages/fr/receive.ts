import type { RECEIVE as ENGLISH } from "../en/receive.ts";
import type { Translated } from "../message.ts";

export const RECEIVE: Translated<typeof ENGLISH> = {
  "receive.title": "Recevoir des sons dans ce navigateur",
  "receive.what":
    "Tes apps peuvent envoyer vers ce navigateur comme vers un ordinateur. Ce qu’elles envoient attend sur le relais jusqu’à ce que tu l’importes, dans un dossier ou dans un ZIP.",
  "receive.name": "Nom de ce navigateur",
  "receive.name-hint": "Les apps l’affichent au moment d’envoyer.",
  "receive.key": "Clé d’enregistrement",
  "receive.key-hint":
    "Ce relais n’enregistre des ordinateurs qu’avec une clé. La personne qui le gère peut t’en donner une.",
  "receive.begin": "Recevoir",
  "receive.beginning": "Enregistrement…",
  "receive.insecure":
    "Avec une simple adresse http, un navigateur ne peut recevoir que sur l’ordinateur du relais. Ouvre cette page en https.",
  "receive.unable":
    "Ce navigateur ne peut pas garder de fichiers pour cette page. Utilise un autre navigateur, ou une fenêtre qui n’est pas privée.",
  "receive.send-instead": "Envoyer des sons à la place",

  "receive.elsewhere-title": "Un autre onglet reçoit déjà",
  "receive.elsewhere": "Dans un navigateur, un seul onglet reçoit à la fois.",
  "receive.here": "Recevoir ici à la place",
  "receive.looking": "Un instant…",

  "receive.where-title": "Où vont les imports ?",
  "receive.where-what":
    "Chaque paquet donne ses sons en WAV, avec un fichier DAWproject. Il va dans un dossier à toi, ou ton navigateur l’enregistre dans un ZIP.",
  "receive.where-once": "La question n’est posée qu’une fois. Tu peux changer dans les réglages.",
  "receive.choose-folder": "Choisir un dossier",
  "receive.folder-tip": "Conseil : choisis User Library → Samples de Live.",
  "receive.save-zip": "Enregistrer en ZIP",
  "receive.no-folders":
    "Ce navigateur ne peut pas écrire dans un dossier. Chrome et Edge le peuvent sur un ordinateur.",
  "receive.saves-into": "Enregistre dans {folder}",
  "receive.saves-zip": "Enregistre en ZIP",
  "receive.not-chosen": "Rien n’a été importé. Choisis d’abord où vont les imports.",

  "receive.place": "Imports",
  "receive.into-folder": "Ils vont dans le dossier {folder}.",
  "receive.into-zip": "Chaque paquet est enregistré dans un ZIP.",
  "receive.undecided": "Le premier import demande où ils vont.",
  "receive.asks-again":
    "Quand cette page a été fermée, le navigateur te redemande l’accès au dossier à l’import suivant.",
  "receive.live-set": "Écrire aussi un Set Live (expérimental)",
  "receive.live-set-hint": "Pas encore ouvert dans un vrai Live.",
  "receive.forget-title": "Ce navigateur",
  "receive.forget-what": "Pour ne plus recevoir ici, oublie ce navigateur.",
  "receive.forget": "Oublier ce navigateur",
  "receive.forget-question":
    "Le relais supprime les paquets qui attendent ce navigateur et dissocie ses apps. Le navigateur supprime son accès au relais. Les fichiers que tu as importés restent.",
  "receive.forget-keep": "Garder",
  "receive.forget-here": "Oublier ici seulement",
  "receive.forget-here-what":
    "Ou oublie-le seulement ici. Le relais garde alors ses paquets jusqu’à leur expiration.",

  "receive.zip-again": "Enregistrer à nouveau le ZIP",
  "receive.zip-again-title": "Enregistrer à nouveau le ZIP : {title}",
  "receive.relay-fixed": "Cette page reçoit du relais dont elle provient.",
};
