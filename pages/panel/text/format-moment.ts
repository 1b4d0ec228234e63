import { dateLanguage, t } from "../../kit/page-language.ts";

const DAY_MS = 86_400_000;

/**
 * Formats a time as `just now`, `5 min ago`, `today, 14:32` or `21 Nov, 14:32`.
 * @param iso ISO 8601; other text is returned unchanged
 * @param nowMs milliseconds since 1970
 */
export function formatMoment(iso: string, nowMs: number): string {
  const then = new Date(iso);
  const agoMs = nowMs - then.getTime();
  if (Number.isNaN(agoMs)) return iso;
  if (agoMs < 60_000) return t("panel.just-now");
  if (agoMs < 3_600_000) return t("panel.minutes-ago", { count: Math.floor(agoMs / 60_000) });
  const time = `${twoDigits(then.getHours())}:${twoDigits(then.getMinutes())}`;
  const isToday = agoMs < DAY_MS && then.getDate() === new Date(nowMs).getDate();
  if (isToday) return t("panel.today-at", { time });
  return t("panel.date-at", { date: formatDate(then, nowMs), time });
}

function formatDate(then: Date, nowMs: number): string {
  const isThisYear = then.getFullYear() === new Date(nowMs).getFullYear();
  return then.toLocaleDateString(dateLanguage(), {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

function twoDigits(n: number): string {
  return String(n).padStart(2, "0");
}
