import { randomUUID } from "node:crypto";
import { appendFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { unfinishedPath, writeFileAtomically } from "../../../addon/disk/atomic-file.ts";
import { FolderNotMadeError, makeFolder } from "../../../program/make-folder.ts";
import { Failure, WrongUse } from "../../fail.ts";
import type { CheckedPackage } from "../../layout/check/checked-package.ts";
import { isInside } from "../../layout/is-inside.ts";
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

/** @throws {WrongUse} for a path that is given and no folder */
export async function assertFolder(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new WrongUse(`There is no folder ${path}.`);
}

/**
 * Writes the reports, each even if another can't be written.
 * @param summary a sentence that counts the packages
 * @throws {Failure} with a sentence for each that can't be written, after all others are
 */
export async function writeReports(
  packages: readonly CheckedPackage[],
  summary: string,
  { junit, github = false, html, base }: ReportFlags,
): Promise<void> {
  const failures: string[] = [];
  const attempt = async (path: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      const isOfTheDisk = error instanceof Error && "syscall" in error;
      if (!isOfTheDisk && !(error instanceof FolderNotMadeError)) throw error;
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
  const summaryPath = process.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (github && summaryPath !== "") {
    const repositoryPath = await pathsInRepository();
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
): Promise<string> {
  const commands = formatAnnotations(packages, await pathsInRepository());
  const before = text === undefined ? [] : [withoutCommands(text, randomUUID())];
  return [...before, ...commands].join("\n");
}

/** Returns a function from a path to the one in the repository, with slashes. */
async function pathsInRepository(): Promise<(path: string) => string> {
  const workspace = resolve(process.env["GITHUB_WORKSPACE"] || ".");
  const roots = [workspace, await realpath(workspace).catch(() => workspace)];
  return (path) => {
    const root = roots.find((one) => isInside(one, resolve(path)));
    return (root === undefined ? path : relative(root, resolve(path))).replaceAll(sep, "/");
  };
}

async function writeReport(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  try {
    await writeFileAtomically(path, text, 0o644);
  } catch (error) {
    await rm(unfinishedPath(path), { force: true });
    throw error;
  }
}
