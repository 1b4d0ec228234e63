import { escapeXml } from "../../core/text/junit.ts";
import { count, type Report } from "./report.ts";

/** An estimate; `textLength` then fits the text to its box. */
const LETTER_WIDTH = 6.6;
const MARGIN = 10;
const GREEN = "2e7d32";
const RED = "c62828";

/**
 * The badge as data for shields.io's endpoint badge. It always names what was checked and in which version, how many rules
 * were proven and how many checks were skipped.
 */
export function badgeJson(report: Report) {
  const { keeps_the_contract: isKept } = report;
  const label = report.contract === "public" ? "Package relay, public" : "Soundferry relay";
  const message = [
    `${report.is_part ? "part of " : ""}${report.version}`,
    ...(isKept ? [] : [broken(report)]),
    count(report.proven_rules.length, "rule", "proven"),
    count(report.skipped, "check", "skipped"),
  ].join(", ");
  return { schemaVersion: 1, label, message, color: isKept ? GREEN : RED };
}

function broken({ failed, hindered: inconclusive, passed }: Report): string {
  return `${failed + inconclusive} of ${passed + failed + inconclusive} checks failed`;
}

/** The badge as an SVG, for a README that needs no server. */
export function badgeSvg(report: Report): string {
  const { label, message, color } = badgeJson(report);
  const [left, right] = [label, message].map(
    (text) => Math.round(text.length * LETTER_WIDTH) + 2 * MARGIN,
  );
  if (left === undefined || right === undefined) return "";
  const name = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${name}">`,
    `  <title>${name}</title>`,
    `  <clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    '  <g clip-path="url(#round)" fill="#fff" font-family="Verdana, sans-serif" font-size="11">',
    `    <rect width="${left}" height="20" fill="#424242"/>`,
    `    <rect x="${left}" width="${right}" height="20" fill="#${color}"/>`,
    `    ${fitText(label, 0, left)}`,
    `    ${fitText(message, left, right)}`,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function fitText(text: string, x: number, width: number): string {
  return `<text x="${x + MARGIN}" y="14" textLength="${width - 2 * MARGIN}">${escapeXml(text)}</text>`;
}
