import { randomUUID } from "node:crypto";
import { appendFile, mkdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { unfinishedPath, writeFileAtomically } from "../../../addon/disk/atomic-file.ts";
import { Failure, WrongUse } from "../../fail.ts";
import type { CheckedPackage } from "../../layout/check/checked-package.ts";
import { isInside } from "../../layout/check/is-inside.ts";
import { formatCheckJunit } from "../../layout/check/format-check.ts";
import {
  formatAnnotations,
  formatSummary,
  MAX_SUMMARY_BYTES,
  withoutCommands,
} from "../../layout/check/github.ts";

/** The reports of `layout --check` beside what it prints (rules B10, B11). */
export interface ReportFlags {
  readonly junit?: string;
  readonly github?: boolean;
  readonly html?: string;
  readonly base?: string;
}

/** @throws {WrongUse} for a report without its `--check`, or a base without a page or without a folder */
export async function requireReportUse(
  { junit, github, html, base }: ReportFlags,
  isCheck: boolean,
): Promise<void> {
  const given = Object.entries({ junit, github, html, base }).find(([, flag]) => flag);
  if (given !== undefined && !isCheck) throw new WrongUse(`--${given[0]} needs --check.`);
  if (base === undefined) return;
  if (html === undefined) throw new WrongUse("--base needs --html.");
  const found = await stat(base).catch(() => undefined);
  if (!found?.isDirectory()) throw new WrongUse(`There is no folder ${base}.`);
}

/** The content of the reports. */
export interface CheckedLibrary {
  readonly packages: readonly CheckedPackage[];
  /** A sentence that counts the packages. */
  readonly summary: string;
}

/**
 * Writes the reports, each even if another can't be written.
 * @throws {Failure} with a sentence for each that can't be written, after all others are
 */
export async function writeReports(
  { packages, summary }: CheckedLibrary,
  { junit, github = false, html, base }: ReportFlags,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const failures: string[] = [];
  const attempt = async (path: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      failures.push(`${path} can't be written.`);
    }
  };
  if (junit !== undefined) {
    await attempt(junit, async () => writeReport(junit, formatCheckJunit(packages)));
  }
  if (html !== undefined) {
    await attempt(html, async () => {
      const [{ reportStyle }, { readReport }, { formatReportPage }] = await Promise.all([
        import("../../pages.ts"),
        import("../../layout/check/report-sounds.ts"),
        import("../../layout/check/report-page.ts"),
      ]);
      const shown = await readReport(packages, { page: html, base, root: "." });
      await writeReport(html, formatReportPage(shown, { style: await reportStyle(), summary }));
    });
  }
  const summaryPath = environment["GITHUB_STEP_SUMMARY"] ?? "";
  if (github && summaryPath !== "") {
    const repositoryPath = await pathsIn(environment);
    await attempt(summaryPath, async () => {
      const { size } = await stat(summaryPath).catch(() => ({ size: 0 }));
      const room = Math.max(0, MAX_SUMMARY_BYTES - size);
      await appendFile(summaryPath, formatSummary(packages, summary, repositoryPath, room));
    });
  }
  if (failures.length > 0) throw new Failure(failures.join("\n"));
}

/**
 * Formats what a step prints for GitHub: the text, in which no name can be a command, then the annotations.
 * @param text undefined if something else is printed
 */
export async function formatForGithub(
  packages: readonly CheckedPackage[],
  text: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const commands = formatAnnotations(packages, await pathsIn(environment));
  const before = text === undefined ? [] : [withoutCommands(text, randomUUID())];
  return [...before, ...commands].join("\n");
}

/** Returns a function from a path to the one in the repository, with slashes. */
async function pathsIn(environment: NodeJS.ProcessEnv): Promise<(path: string) => string> {
  const workspace = resolve(environment["GITHUB_WORKSPACE"] || ".");
  const roots = [workspace, await realpath(workspace).catch(() => workspace)];
  return (path) => {
    const inside = roots.map((root) => relative(root, resolve(path))).find(isInside);
    return (inside ?? path).replaceAll(sep, "/");
  };
}

async function writeReport(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFileAtomically(path, text, 0o644);
  } catch (error) {
    await rm(unfinishedPath(path), { force: true });
    throw error;
  }
}
