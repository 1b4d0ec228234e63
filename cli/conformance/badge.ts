import { escapeXml } from "./junit.ts";
import type { Report } from "./report.ts";

const LABEL = "Soundferry relay";
/** An estimate; `textLength` then fits the text to its box. */
const LETTER_WIDTH = 6.6;
const MARGIN = 10;

/** The badge as data for shields.io's endpoint badge. */
export function badgeJson(report: Report) {
  const { passed, failed, hindered: inconclusive, keeps_the_contract: isKept } = report;
  const message = isKept
    ? `${passed} checks passed`
    : `${failed + inconclusive} of ${passed + failed + inconclusive} checks failed`;
  return { schemaVersion: 1, label: LABEL, message, color: isKept ? "2e7d32" : "c62828" };
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
