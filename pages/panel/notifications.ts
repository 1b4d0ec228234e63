import { t } from "../kit/page-language.ts";
import { readStored, storeSetting } from "../kit/stored-setting.ts";

const SETTING = "soundferry.notify";

/** Returns whether the page shows notifications; `missing` if the browser has none for it. */
export function notificationsOf(): "missing" | "off" | "on" | "blocked" {
  if (typeof Notification === "undefined") return "missing";
  if (Notification.permission === "denied") return "blocked";
  const isOn = Notification.permission === "granted" && readStored(SETTING) === "on";
  return isOn ? "on" : "off";
}

/** Switches notifications, and asks the person for the browser's permission. Must be called in a click. */
export async function switchNotifications(isOn: boolean): Promise<void> {
  const isAllowed = isOn && (await Notification.requestPermission()) === "granted";
  storeSetting(SETTING, isAllowed ? "on" : null);
}

/** Shows a notification of the packages that have arrived, if the person has switched that on (rule N27). */
export function notifyOfArrivals(sentences: readonly string[]): void {
  const [first] = sentences;
  if (first === undefined || notificationsOf() !== "on") return;
  const body =
    sentences.length === 1 ? first : t("panel.said-several", { count: sentences.length });
  const shown = new Notification("Soundferry", { body, tag: "soundferry-arrivals" });
  shown.addEventListener("click", () => {
    focus();
    shown.close();
  });
}
