import { escapeHtml } from "../text/escape-html.ts";
import { fillSentence } from "../text/sentence-of.ts";
import { chooseLanguage, type Language } from "./languages.ts";

/** Texts of a page that is sent before a request can be read, so no bundle has them. */
const TEXTS: Readonly<Record<Language, readonly [title: string, why: string, advice: string]>> = {
  en: [
    "Too many cookies",
    "This browser sends too many cookies to this address. They come from other programs at {host}.",
    "In the browser's settings, clear the cookies for {host} and load this page again. Or open it in a private window.",
  ],
  de: [
    "Zu viele Cookies",
    "Dieser Browser sendet zu viele Cookies an diese Adresse. Sie stammen von anderen Programmen unter {host}.",
    "Lösche in den Einstellungen des Browsers die Cookies für {host} und lade diese Seite neu. Oder öffne sie in einem privaten Fenster.",
  ],
  es: [
    "Demasiadas cookies",
    "Este navegador envía demasiadas cookies a esta dirección. Vienen de otros programas en {host}.",
    "En los ajustes del navegador, borra las cookies de {host} y vuelve a cargar esta página. O ábrela en una ventana privada.",
  ],
  fr: [
    "Trop de cookies",
    "Ce navigateur envoie trop de cookies à cette adresse. Ils viennent d'autres programmes sur {host}.",
    "Dans les réglages du navigateur, efface les cookies de {host} et recharge cette page. Ou ouvre-la dans une fenêtre privée.",
  ],
  ja: [
    "Cookieが多すぎます",
    "このブラウザはこのアドレスに多すぎるCookieを送信しています。{host} のほかのプログラムのCookieです。",
    "ブラウザの設定で {host} のCookieを削除してから、このページを再読み込みしてください。プライベートウィンドウで開くこともできます。",
  ],
};

/** Headers of the page. It has no script and loads nothing. */
export const COOKIE_PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
} as const;

/**
 * Builds the page for a browser whose cookies make its headers too large (rule E7), in the browser's language.
 * Returns undefined if the request asks for no page.
 * @param request the bytes of its headers that have arrived, as text
 */
export function cookiePage(request: string): string | undefined {
  const header = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)`, "im").exec(request)?.[1];
  if (header("accept")?.includes("text/html") !== true) return undefined;
  const preferred = (header("accept-language") ?? "").split(",");
  const language = chooseLanguage(preferred.map((tag) => tag.split(";", 1)[0]?.trim() ?? ""));
  const host = (header("host") ?? "").trim().replace(/:\d+$/, "");
  const [title, ...lines] = TEXTS[language].map((text) =>
    escapeHtml(fillSentence(text, new Map([["host", host]]))),
  );
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 15vh auto; max-width: 32em; padding: 0 24px; }
</style>
<h1>${title}</h1>
${lines.map((line) => `<p>${line}</p>`).join("\n")}
</html>
`;
}
