import type { Translated } from "../message.ts";
import type { PANEL_LIVE as ENGLISH } from "../en/panel-live.ts";

/** In Spanish. */
export const PANEL_LIVE: Translated<typeof ENGLISH> = {
  "panel.live-setup": "Configurar Live",
  "panel.live-setup-title": "Configurar Ableton Live",
  "panel.live-why":
    "La superficie de control es un pequeño script dentro de Live. Con ella, cada loop recibe exactamente su tempo, su inicio y su ganancia, en todas las ediciones de Live 12.",
  "panel.live-ready": "{live} está listo para importaciones exactas",
  "panel.live-answers": "{live} responde.",
  "panel.live-waiting": "Esperando la respuesta de Live…",
  "panel.live-silent": "Live ya no responde.",
  "panel.live-done": "Hecho",
  "panel.live-open": "Por hacer",
  "panel.live-installing": "Instalando…",
  "panel.live-install": "Instalar",
  "panel.live-update": "Actualizar",
  "panel.live-install-again": "Instalar otra vez",
  "panel.live-step-install": "Instalar el script",
  "panel.live-step-restart": "Reiniciar Live",
  "panel.live-step-choose": "Elegir Soundferry en Live",
  "panel.live-restart": "Cierra Live y ábrelo otra vez. Solo encuentra scripts nuevos al arrancar.",
  "panel.live-restart-other":
    "Live todavía usa otra versión del script. Ciérralo y ábrelo otra vez.",
  "panel.live-choose":
    "En Live, abre Ajustes → Link, Tempo y MIDI. Elige Soundferry como superficie de control y deja Entrada y Salida en Ninguna.",
  "panel.live-missing": "Soundferry copia un pequeño script en {library} de Live.",
  "panel.live-old": "El script en {library} de Live es de otra versión de Soundferry.",
  "panel.live-changed": "El script en {library} de Live se cambió a mano.",
  "panel.live-foreign":
    "En {library} de Live hay otra carpeta Remote Scripts/Soundferry. Muévela primero.",
  "panel.live-current": "Está en {library} de Live.",
  "panel.live-no-library":
    "No se encontró la biblioteca de usuario de Live. Inicia Soundferry con SOUNDFERRY_LIVE_LIBRARY y la carpeta que Live muestra en Ajustes → Biblioteca.",
  "panel.live-unknown":
    "Dentro de Live, Soundferry no puede instalarlo. En un terminal, escribe: soundferry live install",
  "panel.check": "Comprobar este Live",
  "panel.check-what":
    "En unos dos minutos, Soundferry prueba lo que hace este Live y escribe un informe que puedes enviar: sin rutas, nombres ni direcciones. Abre antes un Set nuevo y vacío en Live. Todo lo que crea la prueba se elimina después.",
  "panel.check-start": "Empezar la prueba",
  "panel.check-again": "Comprobar otra vez",
  "panel.check-cancel": "Cancelar la prueba",
  "panel.check-label": "Prueba de Live",
  "panel.check-waiting": "Esperando a Live…",
  "panel.check-progress": {
    one: "{done} de {count} pregunta respondida",
    other: "{done} de {count} preguntas respondidas",
  },
  "panel.check-done": {
    one: "{live} está comprobado: {answered} de {count} pregunta respondida.",
    other: "{live} está comprobado: {answered} de {count} preguntas respondidas.",
  },
  "panel.check-save": "Guardar el informe",
  "panel.check-answer": "Responder",
  "panel.check-did": "Hecho",
  "panel.check-skip": "Saltar",
};
