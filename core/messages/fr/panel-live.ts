import type { Translated } from "../message.ts";
import type { PANEL_LIVE as ENGLISH } from "../en/panel-live.ts";

/** In French. */
export const PANEL_LIVE: Translated<typeof ENGLISH> = {
  "panel.live-setup": "Configurer Live",
  "panel.live-setup-title": "Configurer Ableton Live",
  "panel.live-why":
    "La surface de contrôle est un petit script dans Live. Avec elle, chaque boucle reçoit exactement son tempo, son début et son gain, dans toutes les éditions de Live 12.",
  "panel.live-ready": "{live} est prêt pour des imports exacts",
  "panel.live-answers": "{live} répond.",
  "panel.live-waiting": "En attente de la réponse de Live…",
  "panel.live-silent": "Live ne répond plus.",
  "panel.live-done": "Fait",
  "panel.live-open": "À faire",
  "panel.live-installing": "Installation…",
  "panel.live-install": "Installer",
  "panel.live-update": "Mettre à jour",
  "panel.live-install-again": "Réinstaller",
  "panel.live-step-install": "Installer le script",
  "panel.live-step-restart": "Redémarrer Live",
  "panel.live-step-choose": "Choisir Soundferry dans Live",
  "panel.live-restart":
    "Quitte Live et relance-le. Il ne trouve les nouveaux scripts qu’au démarrage.",
  "panel.live-restart-other":
    "Live utilise encore une autre version du script. Quitte Live et relance-le.",
  "panel.live-choose":
    "Dans Live, ouvre Réglages → Link, Tempo & MIDI. Choisis Soundferry comme surface de contrôle et laisse l’entrée et la sortie sur « Aucun ».",
  "panel.live-missing": "Soundferry copie un petit script dans {library} de Live.",
  "panel.live-old": "Le script dans {library} de Live vient d’une autre version de Soundferry.",
  "panel.live-changed": "Le script dans {library} de Live a été modifié à la main.",
  "panel.live-foreign":
    "{library} de Live contient un autre dossier Remote Scripts/Soundferry. Déplace-le d’abord.",
  "panel.live-current": "Il est dans {library} de Live.",
  "panel.live-no-library":
    "La bibliothèque utilisateur de Live est introuvable. Lance Soundferry avec SOUNDFERRY_LIVE_LIBRARY et le dossier que Live affiche sous Réglages → Bibliothèque.",
  "panel.live-unknown":
    "Dans Live, Soundferry ne peut pas l’installer. Dans un terminal, tape : soundferry live install",
  "panel.check": "Vérifier ce Live",
  "panel.check-what":
    "En deux minutes environ, Soundferry essaie ce que fait ce Live et écrit un rapport que tu peux envoyer : sans chemins, noms ni adresses. Ouvre d’abord un Set vide dans Live. Tout ce que la vérification crée est supprimé ensuite.",
  "panel.check-start": "Lancer la vérification",
  "panel.check-again": "Vérifier à nouveau",
  "panel.check-cancel": "Annuler la vérification",
  "panel.check-label": "Vérification de Live",
  "panel.check-waiting": "En attente de Live…",
  "panel.check-progress": {
    one: "{done} question sur {count}",
    other: "{done} questions sur {count}",
  },
  "panel.check-done": {
    one: "{live} est vérifié : {answered} réponse sur {count}.",
    other: "{live} est vérifié : {answered} réponses sur {count}.",
  },
  "panel.check-save": "Enregistrer le rapport",
  "panel.check-answer": "Répondre",
  "panel.check-did": "Fait",
  "panel.check-skip": "Passer",
};
