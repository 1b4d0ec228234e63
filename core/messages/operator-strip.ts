import { escapeHtml } from "../text/escape-html.ts";
import { fillSentence } from "../text/sentence-of.ts";
import { LANGUAGES, type Language } from "./languages.ts";

/** The operator of a relay, in their own words. Links begin with `https:` or `mailto:`. */
export interface RelayOperator {
  readonly name?: string | undefined;
  readonly contact?: string | undefined;
  readonly privacy?: string | undefined;
  readonly abuse?: string | undefined;
}

type Texts = Readonly<Record<keyof RelayOperator | "label", string>>;

/** Texts that only a relay needs, so no bundle has them. */
const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    label: "Operator",
    name: "Run by {name}",
    contact: "Contact",
    privacy: "Privacy",
    abuse: "Report abuse",
  },
  de: {
    label: "Betreiber",
    name: "Betrieben von {name}",
    contact: "Kontakt",
    privacy: "Datenschutz",
    abuse: "Missbrauch melden",
  },
  es: {
    label: "Operador",
    name: "Gestionado por {name}",
    contact: "Contacto",
    privacy: "Privacidad",
    abuse: "Denunciar un abuso",
  },
  fr: {
    label: "Exploitant",
    name: "Géré par {name}",
    contact: "Contact",
    privacy: "Confidentialité",
    abuse: "Signaler un abus",
  },
  ja: {
    label: "運営者",
    name: "運営: {name}",
    contact: "連絡先",
    privacy: "プライバシー",
    abuse: "不正利用を報告",
  },
};

/** The strip uses the page's tokens, and the page's shell ends above it. */
const STYLE = `
.operator { display: none; position: fixed; inset: auto 0 0; gap: 0 var(--pad); height: 1.75rem; padding-inline: var(--pad);
  overflow: hidden; border-top: 1px solid var(--line); background: var(--sunk); color: var(--quiet);
  font-size: var(--small); line-height: 1.7rem; white-space: nowrap }
.operator span { overflow: hidden; text-overflow: ellipsis }
.operator a { flex: none; color: inherit }
${LANGUAGES.map((tag) => `:root[lang=${tag}] .operator[lang=${tag}]`).join(", ")} { display: flex }
.shell { bottom: 1.75rem }
`;

/** A name beside links needs a line of its own on a phone. */
const WITH_NAME = `
@media (max-width: 30rem) {
  .operator { flex-wrap: wrap; height: 3.5rem }
  .operator span { flex: 0 0 100% }
  .shell { bottom: 3.5rem }
}
`;

/**
 * Adds a strip below a relay's page that says who runs the relay, in every language, of which the page shows its own
 * (rule O10). Returns the page as it is if the operator says nothing.
 */
export function withOperator(page: string, operator: RelayOperator): string {
  const end = page.lastIndexOf("</body>");
  if (!isAnythingSaid(operator) || end < 0) return page;
  const hasBoth = operator.name !== undefined && linksIn("en", operator).length > 0;
  const style = hasBoth ? STYLE + WITH_NAME : STYLE;
  const strips = LANGUAGES.map((language) => stripIn(language, operator));
  return `${page.slice(0, end)}<style>${style}</style>\n${strips.join("\n")}\n${page.slice(end)}`;
}

function isAnythingSaid(operator: RelayOperator): boolean {
  return Object.values(operator).some((value) => value !== undefined);
}

function stripIn(language: Language, operator: RelayOperator): string {
  const texts = TEXTS[language];
  const { name } = operator;
  const parts = linksIn(language, operator).map(([text, href]) => linkTo(href, text));
  const said = name === undefined ? "" : fillSentence(texts.name, new Map([["name", name]]));
  const words = said === "" ? "" : `<span>${escapeHtml(said)}</span>`;
  return `<nav class="operator" lang="${language}" aria-label="${texts.label}">${words}${parts.join("")}</nav>`;
}

/** Lists the links that the operator gave, with their texts. */
function linksIn(
  language: Language,
  operator: RelayOperator,
): readonly (readonly [text: string, href: string])[] {
  return (["contact", "privacy", "abuse"] as const).flatMap((kind) => {
    const href = operator[kind];
    return href === undefined ? [] : [[TEXTS[language][kind], href] as const];
  });
}

/** A web page opens beside the sounds that are put together here. */
function linkTo(href: string, text: string): string {
  const beside = href.startsWith("mailto:") ? "" : ' target="_blank" rel="noopener noreferrer"';
  return `<a href="${escapeHtml(href)}"${beside}>${text}</a>`;
}

/** Returns the same for programs, in Markdown; empty if the operator says nothing. */
export function operatorText(operator: RelayOperator): string {
  if (!isAnythingSaid(operator)) return "";
  const { name } = operator;
  const links = linksIn("en", operator).map(([text, href]) => `- ${text}: <${href}>`);
  return ["", "## Operator", "", ...(name === undefined ? [] : [`- ${name}`]), ...links, ""].join(
    "\n",
  );
}
