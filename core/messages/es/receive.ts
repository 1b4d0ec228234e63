import type { RECEIVE as ENGLISH } from "../en/receive.ts";
import type { Translated } from "../message.ts";

export const RECEIVE: Translated<typeof ENGLISH> = {
  "receive.title": "Recibir sonidos en este navegador",
  "receive.what":
    "Tus apps pueden enviar a este navegador como a un ordenador. Lo que envían espera en el relay hasta que lo importas, en una carpeta o como ZIP.",
  "receive.name": "Nombre de este navegador",
  "receive.name-hint": "Las apps lo muestran al enviar.",
  "receive.key": "Clave de registro",
  "receive.key-hint":
    "Este relay solo registra ordenadores con una clave. La persona que lo gestiona puede darte una.",
  "receive.begin": "Recibir",
  "receive.beginning": "Registrando…",
  "receive.insecure":
    "En una dirección http sin cifrar, un navegador solo puede recibir en el ordenador del relay. Abre esta página por https.",
  "receive.unable":
    "Este navegador no puede guardar archivos para esta página. Usa otro navegador o una ventana que no sea privada.",
  "receive.send-instead": "Enviar sonidos en su lugar",

  "receive.elsewhere-title": "Otra pestaña está recibiendo",
  "receive.elsewhere": "En un navegador solo recibe una pestaña a la vez.",
  "receive.here": "Recibir aquí",
  "receive.looking": "Un momento…",

  "receive.where-title": "¿Adónde van las importaciones?",
  "receive.where-what":
    "Cada paquete se convierte en sus sonidos como WAV, con un archivo DAWproject. Va a una carpeta tuya, o tu navegador lo guarda como un ZIP.",
  "receive.where-once": "Solo se te pregunta una vez. Puedes cambiarlo en los ajustes.",
  "receive.choose-folder": "Elegir una carpeta",
  "receive.folder-tip": "Consejo: elige User Library → Samples de Live.",
  "receive.save-zip": "Guardar como ZIP",
  "receive.no-folders":
    "Este navegador no puede escribir en una carpeta. Chrome y Edge en un ordenador sí pueden.",
  "receive.saves-into": "Guarda en {folder}",
  "receive.saves-zip": "Guarda como ZIP",
  "receive.not-chosen": "No se importó nada. Elige primero adónde van las importaciones.",

  "receive.place": "Importaciones",
  "receive.into-folder": "Van a la carpeta {folder}.",
  "receive.into-zip": "Cada paquete se guarda como un ZIP.",
  "receive.undecided": "La primera importación pregunta adónde van.",
  "receive.asks-again":
    "Si cerraste esta página, el navegador vuelve a pedirte permiso para la carpeta en la siguiente importación.",
  "receive.live-set": "Escribir también un Set de Live (experimental)",
  "receive.live-set-hint": "Aún no se ha abierto en un Live de verdad.",
  "receive.forget-title": "Este navegador",
  "receive.forget-what": "Para dejar de recibir aquí, olvida este navegador.",
  "receive.forget": "Olvidar este navegador",
  "receive.forget-question":
    "El relay elimina los paquetes que esperan a este navegador y desvincula sus apps. El navegador borra su acceso al relay. Los archivos que importaste se quedan.",
  "receive.forget-keep": "Conservar",
  "receive.forget-here": "Olvidar solo aquí",
  "receive.forget-here-what":
    "O bien olvídalo solo aquí. El relay conserva entonces sus paquetes hasta que caduquen.",

  "receive.zip-again": "Guardar el ZIP otra vez",
  "receive.zip-again-title": "Guardar el ZIP otra vez: {title}",
  "receive.relay-fixed": "Esta página recibe del relay del que procede.",
};
