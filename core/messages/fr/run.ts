import { MAX_BPM, MIN_BPM } from "../../limits.ts";
import { PACKAGE_SIZE, RESULTS_SIZE } from "../../text/format-limit.ts";
import type { RUN_TEXTS as ENGLISH } from "../en/run.ts";
import type { Translated } from "../message.ts";
import { LIVE_SET_RUN } from "./live-set.ts";

export const RUN_TEXTS: Translated<typeof ENGLISH> = {
  ...LIVE_SET_RUN,
  "run.SAVED_AS_FILES": "Enregistré en fichier ; pas placé dans un Set.",
  "run.PLACED_IN_PREVIEW": "Placé dans l’aperçu de Soundferry, pas dans Live.",
  "run.TRACKS_FULL": "{live} accepte {count} pistes par Set. Ce son est dans le dossier des sons.",
  "run.SCENE_TAKEN":
    "{live} accepte {count} scènes par Set, donc les clips sont dans une scène vide qui existait déjà.",
  "run.CHANGED_BY_PERSON": "Tu as modifié ce clip après l’import ; il n’a pas été revérifié.",
  "run.OPEN_IN_LIVE": "Ce clip était ouvert dans Live : Soundferry l’a laissé tel quel.",
  "run.ON_EARLIER_TRACK": "Il est sur sa piste de l’import précédent.",
  "run.NO_EARLIER_TRACK": "Il n’avait pas encore de piste : il en a reçu une nouvelle.",
  "run.EARLIER_TRACK_UNUSABLE":
    "Sa piste précédente est gelée ou n’est pas une piste audio : il en a reçu une nouvelle.",
  "run.NO_RESULT": "Aucun résultat n’a été transmis pour ce son.",
  "run.RESULTS_SHORTENED": `Abrégé : les résultats d’un paquet sont limités à ${RESULTS_SIZE}.`,
  "run.NOT_CHECKED": "Non vérifié : {settings}.",

  "run.BOTH_GUESSED":
    "Ni tempo ni durée n’ont été envoyés : les deux sont estimés. Vérifie que la boucle est bien calée.",
  "run.TEMPO_GUESSED": `Avec {beats} dans un fichier de {seconds} s, le tempo serait en dehors de ${MIN_BPM}–${MAX_BPM} BPM : il est donc estimé.`,
  "run.LOOP_SHORTER":
    "Une boucle de {beats} à {bpm} BPM dure {seconds} s, mais le fichier dure {fileSeconds} s : il dépasse la boucle de {gapSeconds} s.",
  "run.LOOP_LONGER":
    "Une boucle de {beats} à {bpm} BPM dure {seconds} s, mais le fichier ne dure que {fileSeconds} s : la boucle finit par {gapSeconds} s de silence.",
  "run.FILE_ABSENT": "{file} n’est pas là.",

  "run.FILE_LOST": "Le relais a perdu son fichier.",
  "run.FILE_NOT_AT_RELAY": "Le relais n’a pas {file}.",
  "run.FILE_SIZE_UNKNOWN": "{file} : sa taille est inconnue.",
  "run.FILE_OTHER_PART": "{file} : le relais a envoyé une autre partie que celle demandée.",
  "run.FILE_TOO_LONG": "{file} : le relais a envoyé plus que le fichier ne contient.",
  "run.FILE_ENDED_EARLY": "{file} : la connexion s’est coupée trop tôt.",
  "run.FILE_SILENT": "{file} : aucune donnée depuis {seconds} s.",
  "run.FILE_HEADER_LONG": "{file} : son en-tête est trop long pour un aperçu avant l’import.",
  "run.FILE_UNREADABLE": "{file} ne peut pas être lu.",
  "run.MAYBE_IN_CLOUD": "Il n’est peut-être que dans le cloud : télécharge-le, puis réessaie.",
  "run.FILE_IN_ICLOUD":
    "{file} est dans iCloud et pas sur ce Mac. Télécharge-le dans le Finder, puis réessaie.",
  "run.FILE_CHANGED": "{file} a changé pendant la lecture.",
  "run.FILE_OUTSIDE": "{file} est en dehors du dossier du paquet.",
  "run.FILE_MISSING": "{file} n’est pas dans le dossier du paquet.",
  "run.NOT_A_FILE": "{file} n’est pas un fichier.",
  "run.FILE_TOO_LARGE": "{file} est trop volumineux. La limite est {limit}.",
  "run.JSON_INVALID": "{file} n’est pas du JSON valide (ligne {line}, colonne {column}).",
  "run.JSON_ENCODED_FILE": "{file} est en {encoding}. Enregistre-le en texte UTF-8 simple.",
  "run.TAKES_OVER": `{file} : avec ce son, le paquet dépasse ${PACKAGE_SIZE}.`,
  "run.FOLDER_ABSENT": "Le dossier {folder} n’existe pas.",
  "run.FOLDER_UNREADABLE": "Le dossier {folder} ne peut pas être lu.",
  "run.NOT_IN_INBOX": "Le dossier de réception n’a pas de paquet {id}.",
  "run.NOT_AT_RELAY": "Le relais n’a pas de paquet {id} pour cet ordinateur.",

  "run.RUN_CANCELLED": "L’import a été annulé.",
  "run.RUN_FAILED": "L’import a échoué.",
  "run.CONNECTION_LOST":
    "La connexion a été perdue. Rien n’a été placé. Importe de nouveau pour continuer.",
  "run.LAST_PROBLEM": "Dernier problème : {problem}",
  "run.RELAY_SILENT": "Le relais n’a pas répondu pendant {seconds} s.",
  "run.NONE_CHOSEN": "Choisis au moins un son.",
  "run.NAMED_TWICE": "Plusieurs sons s’appellent {name}. Utilise un identifiant : {ids}.",
  "run.TRACKS_NOT_REUSED": "Ici, on ne peut pas importer sur les mêmes pistes.",
  "run.OTHER_SOUNDS_RUN": "D’autres sons de {title} sont en cours d’import. Réessaie ensuite.",
  "run.IMPORT_RUNS": "{title} est en cours d’import. Annule-le d’abord.",
  "run.CLOSING": "Soundferry se ferme.",
  "run.INTERRUPTED": "Un import précédent de {title} a été interrompu.",
  "run.STEPS_DONE": "Fait : {steps}.",
  "run.STEPS_BEGUN": "Peut-être fait : {steps}.",
  "run.DELETE_REST": "Supprime ce que tu ne veux pas garder, puis importe de nouveau.",

  "run.HOST_COULD_NOT": "{host} n’a pas pu {step}.",
  "run.HOST_COULD_NOT_BECAUSE": "{host} n’a pas pu {step} : {reason}.",
  "run.HOST_SILENT": "{host} ne répond pas.",
  "run.TRACK_STAYS": "Sa piste vide reste.",
  "run.STAYS_IN_SET": "Encore dans le Set : {names}.",
  "run.STAYS_IN_SESSION": "Encore dans la session : {names}.",
  "run.TEMPO_STAYS": "Le tempo reste à {bpm} BPM.",
  "run.NOT_IN_PREVIEW": "{name} n’est pas dans l’aperçu.",

  "run.LIVE_TOO_OLD":
    "Tu utilises {live}. Soundferry place des sons dans Live 11.3 à partir de 11.3.25 et dans Live 12 à partir de 12.0.5. La mise à jour est gratuite.",
  "run.LIVE_ABSENT":
    "Live ne répond pas. Ouvre Live et choisis Soundferry sous Réglages → Link, Tempo & MIDI ; `soundferry live status` en dit plus.",
  "run.LIVE_BUSY": "Live n’a pas répondu. Ferme ses menus et ses fenêtres de dialogue.",
  "run.SCRIPT_VERSION":
    "Live utilise la version {other} de la surface de contrôle de Soundferry ; celle-ci est la {own}. Tape `soundferry live install`, puis relance Live.",
  "run.SCRIPT_UNKNOWN":
    "Live utilise une autre version de la surface de contrôle de Soundferry ; celle-ci est la {own}. Tape `soundferry live install`, puis relance Live.",
  "run.LIVE_STOPPED":
    "Live a cessé de répondre en plaçant {name}. Importe de nouveau dès que Live répond : tu verras alors ce que contient son Set.",
  "run.SET_CLOSED": "Le Set a été fermé pendant que Live plaçait {name}.",
  "run.SET_HOLDS": "De tout cela, le Set ouvert maintenant contient : {things}.",
  "run.CLIP_ABSENT": "Le clip « {name} » n’est pas dans Live.",
  "run.TEMPO_HEARD": "Live a détecté {bpm} BPM.",
  "run.TEMPO_NEAR": "Live détecte {heldBpm} BPM, ce qui est proche de {bpm}.",
  "run.TEMPO_UNTOLD":
    "Sans la surface de contrôle de Soundferry, on ne peut pas indiquer à Live le tempo de cette boucle.",
  "run.CLIP_MADE_AGAIN":
    "Live a détecté {heldBpm} BPM : le clip a été recréé avec le Set à {bpm} BPM.",
  "run.BOUNDS_REFUSED": "Live a refusé le début et la fin de son clip.",
  "run.SETTING_REFUSED": "Live a refusé ce réglage : {setting}.",
  "run.SETTING_REFUSED_BECAUSE": "Live a refusé ce réglage : {setting} ({reason}).",
  "run.ENDS_EARLY": "Il finit à {seconds} s ; son fichier dure {fileSeconds} s.",
  "run.TRANSPOSED": "Il est transposé de {semitones} demi-tons et {cents} cents.",
  "run.TRACK_ARMED": "Sa piste est armée.",
  "run.TRACK_INPUT": "L’entrée de sa piste est « {input} ».",
  "run.TRACK_FADER": "Le fader de sa piste n’est pas à 0 dB.",
  "run.SCENE_NAMED": "Sa scène s’appelle « {held} » au lieu de « {name} ».",
  "run.SCENE_COLOR": "Sa scène a la couleur {heldColor} au lieu de la couleur {color}.",
  "run.SCENE_COLORLESS": "Sa scène n’a pas de couleur au lieu de la couleur {color}.",
  "run.SET_TEMPO_DIFFERS": "Le Set est à {heldBpm} BPM au lieu de {bpm} BPM.",
  "run.SET_TEMPO_OTHER": "Le tempo du Set est de {heldBpm} BPM au lieu de {bpm}.",
  "run.SET_TEMPO_UNKNOWN": "Impossible de savoir si le Set est maintenant à {bpm} BPM.",
  "run.COLLECT_AND_SAVE":
    "Pour le garder avec ton Set, utilise « Collect All and Save » (tout rassembler et enregistrer) dans le menu Fichier de Live.",
  "run.PLAYS_FROM_FOLDER": "Live lit son fichier dans le dossier des sons.",
  "run.GAIN_IN_COPY_RANGE":
    "Le gain de {gain} est appliqué dans une copie de son fichier, car le volume d’une piste va de {leastDb} à {mostDb} dB.",
  "run.GAIN_IN_COPY_REFUSED":
    "Le gain de {gain} est appliqué dans une copie de son fichier, car Live n’a pas pu régler le volume de sa piste.",
  "run.GAIN_ON_TRACK": "Son gain de {gain} est réglé sur le volume de la piste.",
  "run.NO_GAINED_COPY": "Impossible de créer une copie avec un gain de {gain}. {problem}",
  "run.CLIP_UNREADABLE": "{name} : impossible de le lire.",

  "run.PROJECT_UNWARPED":
    "Un DAWproject ne peut pas laisser le tempo à deviner : le clip n’est pas warpé et boucle sur tout le fichier.",
  "run.PROJECT_FILLED":
    "Un DAWproject ne peut pas laisser le tempo à deviner : le fichier est warpé pour remplir {beats}.",
  "run.PROJECT_LOUD":
    "Le gain de +{db} dB est réglé sur le volume de la piste ; beaucoup de DAW s’arrêtent à +6 dB.",
  "run.NOT_IN_PROJECT": "Le fichier DAWproject ne contient pas {name}.",
  "run.PROJECT_UNREADABLE": "{file} ne peut pas être relu. Il reste à côté des sons.",

  "run.DISK_FULL":
    "Le disque avec {folder} est plein. Libère de la place et importe de nouveau ; les sons déjà téléchargés sont gardés.",
  "run.DISK_READ_ONLY":
    "Soundferry ne peut pas enregistrer dans {folder} : le dossier est en lecture seule ou interdit à Soundferry. Choisis un autre dossier dans les réglages.",
  "run.DISK_MANY_FILES":
    "Trop de fichiers sont ouverts sur cet ordinateur. Ferme un programme et importe de nouveau.",
  "run.DISK_AWAY": "Le disque avec {folder} n’est pas là. Branche-le et importe de nouveau.",
  "run.DISK_ERROR":
    "Le disque avec {folder} signale une erreur. Vérifie-le, puis importe de nouveau ; les sons déjà téléchargés sont gardés.",
  "run.DISK_NAME_LONG":
    "Un nom dans {folder} est trop long pour son disque. Choisis dans les réglages un dossier au chemin plus court.",
  "run.DISK_ICLOUD":
    "Un fichier dans {folder} est sur iCloud et pas sur ce Mac. Télécharge le dossier dans le Finder, puis importe de nouveau.",
  "run.DISK_BUSY":
    "Un autre programme utilise un fichier dans {folder}. Ferme-le et importe de nouveau.",
  "run.DISK_FOLDER_IN_WAY":
    "{name} est un dossier, mais Soundferry a besoin de ce nom pour un fichier. Renomme-le et importe de nouveau.",
  "run.DRIVE_AWAY":
    "Le disque avec le dossier des sons {folder} n’est pas là. Branche-le ou choisis un autre dossier.",
  "run.DISK_NEARLY_FULL": `Le disque avec {folder} est presque plein : un paquet peut demander ${PACKAGE_SIZE}. Libère de la place ou choisis un dossier sur un autre disque.`,
  "run.FOLDER_PATH_SHORT": "Saisis le chemin complet du dossier, à partir du disque ou de ~.",
  "run.NOT_A_FOLDER": "{folder} n’est pas un dossier.",
  "run.FOLDER_IN_USE":
    "Soundferry utilise {folder} pour autre chose. Choisis un autre dossier pour les sons.",
  "run.FOLDER_OF_EXTENSION": "Live ne laisse son extension écrire que dans ce dossier.",
  "run.FOLDER_SET": "Le dossier des sons a été fixé au lancement de Soundferry.",
  "run.FOLDER_SET_BY": "Le dossier des sons est fixé par {variable}.",
  "run.FOLDER_CHANGE_WAITS":
    "Un import est en cours. Change le dossier des sons quand il sera terminé.",
  "run.FOLDER_NOT_MADE":
    "Impossible de créer le dossier {folder} : {reason}. Vérifie le chemin et ses droits d’accès.",
  "run.FOLDER_STUCK": "Le dossier {folder} ne peut pas être lu ou supprimé.",
  "run.FOLDER_NOT_SHOWN": "Impossible d’afficher le dossier.",
  "run.FOLDERS_NOT_SHOWN": "Soundferry ne peut pas afficher de dossiers ici.",

  "run.SCRIPT_DISK_FULL": "Le disque est plein. Libère de la place et réessaie.",
  "run.SCRIPT_READ_ONLY":
    "Soundferry ne peut pas écrire dans {folder}. Autorise l’écriture, ferme les programmes qui l’utilisent et réessaie.",
  "run.SCRIPT_BUSY": "Un autre programme utilise {folder}. Ferme-le et réessaie.",
  "run.SCRIPT_IN_WAY": "{folder} gêne, car ce n’est pas un dossier. Déplace-le et réessaie.",
  "run.SCRIPT_DISK_ERROR":
    "{folder} est inutilisable : le disque signale une erreur. Vérifie-le et réessaie.",

  "run.TRY_AGAIN": "Réessaie.",
  "run.TRY_LATER": "Réessaie plus tard.",
  "run.NO_RELAY": "Aucun relais n’est défini. Saisis son adresse ici.",
  "run.RELAY_SET": "L’adresse du relais a été fixée au lancement de Soundferry.",
  "run.RELAY_SET_BY": "L’adresse du relais est fixée par {variable}.",
  "run.RELAY_CHANGE_WAITS": "Un import est en cours. Change le relais quand il sera terminé.",
  "run.RELAY_NOT_FOUND": "{relay} est introuvable. Vérifie l’adresse du relais et ta connexion.",
  "run.RELAY_NOT_RUNNING": "Rien ne répond à {relay}. Le relais est-il lancé ?",
  "run.RELAY_LATE": "{relay} n’a pas répondu à temps.",
  "run.RELAY_UNREACHABLE": "{relay} est injoignable d’ici. Vérifie ta connexion.",
  "run.RELAY_UNREACHED": "{relay} est injoignable ({status}).",
  "run.RELAY_LOST": "La connexion à {relay} a été perdue.",
  "run.RELAY_TROUBLE": "Le relais {relay} a un problème ({status}).",
  "run.RELAY_REFUSED": "Le relais {relay} a refusé la requête ({status}).",
  "run.RELAY_FOREIGN":
    "Quelque chose entre cet ordinateur et le relais répond à sa place. Ouvre une page dans ton navigateur : il faut peut-être s’identifier sur le Wi-Fi.",
  "run.RELAY_OTHER_SERVER": "Le serveur {relay} n’est pas un relais Soundferry. Vérifie l’adresse.",
  "run.RELAY_REDIRECTS": "{relay} redirige vers {address}. Saisis cela comme adresse du relais.",
  "run.RELAY_NOT_SOUND": "{relay} a envoyé autre chose que le son.",
  "run.RELAY_REPLACED": "Un autre relais répond maintenant à {relay}.",
  "run.RELAY_CERTIFICATE_OLD":
    "Le certificat de {relay} a expiré. Préviens la personne qui gère le relais.",
  "run.RELAY_CERTIFICATE_OTHER":
    "Le certificat de {relay} appartient à une autre adresse. Vérifie l’adresse du relais.",
  "run.RELAY_CERTIFICATE_UNTRUSTED":
    "Le certificat de {relay} n’est pas reconnu. Préviens la personne qui gère le relais.",
  "run.RELAY_WITHOUT_HTTPS": "{relay} n’accepte pas https. Dans ton propre réseau, essaie http://.",
};
