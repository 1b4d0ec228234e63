import type { PAGE_PHONE as ENGLISH } from "../en/page-phone.ts";
import type { Translated } from "../message.ts";

export const PAGE_PHONE: Translated<typeof ENGLISH> = {
  "page.directions": "Enviar o recibir",
  "page.send": "Enviar",
  "page.receive": "Recibir",
  "page.receiveInstead": "¿No hay nada instalado? Abre {address} en cualquier navegador.",
  "page.isVideo": "Es el sonido de un vídeo; la imagen no se envía.",
  "page.noSound": "{file} es un vídeo sin sonido.",
  "page.shareAgain":
    "Lo que se compartió se ha perdido. Compártelo de nuevo o elige los archivos aquí.",
  "page.chooseHere": "Elige sonidos, o vídeos para enviar su sonido.",
};
