import { createHash } from "node:crypto";
import { formatOutline } from "../../../core/audio/peaks.ts";
import { capitalized } from "../../../core/text/capitalized.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { Html, html, NONE } from "../../../core/text/html.ts";
import { onOneLine } from "../../../core/text/shorten.ts";
import { type CheckedPackage, type CheckProblem, titleOf } from "./checked-package.ts";
import { SEVERITIES } from "./format-check.ts";

// The page of `layout --check --html` (rule B11). It has no script, so that no name can be one.

/** A sound with a problem, as the page shows it. */
export interface ReportSound {
  readonly name: string;
  /** Such as `kick.wav`; empty if it is no longer there. */
  readonly file: string;
  readonly problems: readonly CheckProblem[];
  /** The accepted and the current audio; one if both are the same. */
  readonly versions: readonly SoundVersion[];
}

/** The audio of a sound as it was accepted, as it was before, or as it is now. */
export interface SoundVersion {
  readonly title: "Accepted" | "Before" | "Now" | "As accepted";
  /** The peak envelope, each column from 0 to 1; null if it is unknown. */
  readonly peaks: readonly number[] | null;
  readonly seconds: number;
  /** Such as `2.1 s · 44.1 kHz`. */
  readonly facts: string;
  /** A sentence instead of what is unknown. */
  readonly note: string;
  readonly audio: ReportAudio | null;
}

export type ReportAudio =
  /** `href` is a path relative to the page; null if there is none. */
  { readonly uri: string } | { readonly sentence: string; readonly href: string | null };

/** A package that differs, and its sounds with problems. */
export interface ReportPackage {
  readonly checked: CheckedPackage;
  readonly sounds: readonly ReportSound[];
}

interface ReportPageOptions {
  /** The page's style sheet. */
  readonly style: string;
  /** A sentence that counts the packages. */
  readonly summary: string;
}

/** Formats the report as one HTML page that loads nothing. */
export function formatReportPage(
  packages: readonly ReportPackage[],
  { style, summary }: ReportPageOptions,
): string {
  const differing = packages.filter(({ checked }) => checked.status !== "same").length;
  const title =
    differing === 0
      ? "All layouts are as accepted"
      : `${countOf(differing, "package")} ${differing === 1 ? "differs" : "differ"} from what was accepted`;
  const element = new Html(`<style>${style}</style>`);
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${element}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p>${named(summary)}</p>
        </header>
        <main>
          ${packages.length > 1 ? formatContents(packages) : NONE} ${packages.map(formatPackage)}
        </main>
        ${differing === 0 ? NONE : FOOTER}
      </body>
    </html> `.text;
}

const FOOTER = html`<footer>
  <p>
    If the changes are intended, accept them with <code>soundferry layout --update</code>, and
    commit <code>expected/</code> with them.
  </p>
</footer>`;

function formatContents(packages: readonly ReportPackage[]): Html {
  return html`<nav aria-label="Packages">
    <ul class="packages">
      ${packages.map(
        ({ checked }, index) =>
          html`<li>
            <a href="#package-${index + 1}"
              >${named(titleOf(checked))}
              <span class="count">${countOf(checked.problems.length, "problem")}</span></a
            >
          </li> `,
      )}
    </ul>
  </nav>`;
}

function formatPackage({ checked, sounds }: ReportPackage, index: number): Html {
  const id = `package-${index + 1}`;
  const ofPackage = checked.problems.filter(({ sound }) => sound === null);
  return html`<section class="package" id="${id}" aria-labelledby="${id}-name">
    <h2 id="${id}-name">${named(titleOf(checked))}</h2>
    <p class="note">${named(checked.manifestPath)}</p>
    ${formatSentences(ofPackage)} ${formatChanges(ofPackage, titleOf(checked))}
    ${sounds.map(formatSound)}
  </section> `;
}

function formatSound(sound: ReportSound): Html {
  const { name, file, versions, problems } = sound;
  const longest = Math.max(...versions.map(({ seconds }) => seconds));
  return html`<article class="sound">
    <div class="sound-head">
      <h3>${named(name)}</h3>
      <span class="note">${named(file)}</span>
    </div>
    <div class="sides">${versions.map((version) => formatVersion(version, name, longest))}</div>
    ${formatChanges(problems, name)} ${formatSentences(problems)}
  </article> `;
}

/** @param longest seconds of the longest version */
function formatVersion(
  { title, peaks, seconds, facts, note, audio }: SoundVersion,
  name: string,
  longest: number,
): Html {
  const label = `${onOneLine(name)}, ${title.toLowerCase()}`;
  return html`<figure class="${title === "Now" ? "side now" : "side"}">
    <figcaption><b>${title}</b> <span>${facts}</span></figcaption>
    <div class="wave">
      ${peaks === null ? html`<p>${named(note)}</p>` : formatWave(peaks, seconds / (longest || 1), label)}
    </div>
    ${audio === null ? NONE : formatAudio(audio, label)}
  </figure>`;
}

const WIDTH = 512;
const HEIGHT = 64;

/** @param part of the width: both versions have one scale of time */
function formatWave(peaks: readonly number[], part: number, label: string): Html {
  const width = Math.max(1, Math.round(part * 1000) / 10);
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    width="${width}%"
    role="img"
    aria-label="Waveform of ${label}"
  >
    <path d="${formatOutline(peaks, WIDTH, HEIGHT)}" />
  </svg>`;
}

function formatAudio(audio: ReportAudio, label: string): Html {
  if ("uri" in audio) {
    return html`<audio
      controls
      preload="metadata"
      aria-label="${label}"
      src="${audio.uri}"
    ></audio>`;
  }
  const link =
    audio.href === null
      ? NONE
      : html` <a href="${audio.href}">Open ${named(fileNameOf(audio.href))}</a>`;
  return html`<p class="note">${named(audio.sentence)}${link}</p>`;
}

function fileNameOf(href: string): string {
  return decodeURIComponent(href.split("/").at(-1) ?? "");
}

function formatChanges(problems: readonly CheckProblem[], name: string): Html {
  const rows = problems.flatMap(({ label, changes }) =>
    changes.map(
      ([accepted, now]) =>
        html`<tr>
          <th scope="row">${named(label)}</th>
          <td class="old">${named(accepted)}</td>
          <td class="new">${named(now)}</td>
        </tr> `,
    ),
  );
  if (rows.length === 0) return NONE;
  return html`<div class="scroller">
    <table>
      <caption class="unseen">
        What differs: ${onOneLine(name)}
      </caption>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Accepted</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function formatSentences(problems: readonly CheckProblem[]): Html {
  const lines = problems
    .filter(({ changes }) => changes.length === 0)
    .map(({ severity, kind, sentence }) => {
      const whole = named(capitalized(sentence));
      // A changed sound may be meant.
      if (kind === "audio") return html`<li class="change">${whole}</li> `;
      return html`<li class="${severity}"><b>${SEVERITIES[severity]}</b> ${whole}</li> `;
    });
  return lines.length === 0
    ? NONE
    : html`<ul class="sentences">
        ${lines}
      </ul>`;
}

/** A text from a package: its direction and its control characters change nothing around it. */
function named(text: string): Html {
  return html`<bdi>${onOneLine(text)}</bdi>`;
}
