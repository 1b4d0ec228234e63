import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Host } from "../../addon/hosts/host.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = join(ROOT, "docs/build/hosts.md");

type HostClass = new (print: (line: string) => void) => Host;

/** The TypeScript blocks of docs/build/hosts.md, in order. */
export async function readHostExamples(): Promise<readonly string[]> {
  const page = await readFile(PAGE, "utf8");
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, source = ""]) => source);
}

/** Loads the page's host. @param folder where its file is written */
export async function loadPrintingHost(folder: string): Promise<HostClass> {
  const [source = ""] = await readHostExamples();
  return load(folder, source);
}

/** Loads the same host with the setting that the page adds to it. */
export async function loadPrintingHostWithSetting(folder: string): Promise<HostClass> {
  const [source = "", ...others] = await readHostExamples();
  const find = (text: string) => others.find((example) => example.includes(text)) ?? "";
  const declared = source.replace(/^ {2}readonly can = .*\n/m, `$&${find("readonly settings = ")}`);
  const used = declared.replace(/^ {4}const \{.*\} = request;\n/m, `$&${find("request.settings")}`);
  return load(folder, used);
}

/** Runs the page's other programs, one after the other, on the page's host. @param folder where they write */
export async function runHostPrograms(folder: string): Promise<void> {
  const [source = "", ...others] = await readHostExamples();
  const programs = others.filter((example) => example.includes("buildImporter({"));
  const lines = programs.flatMap((program) => program.split("\n"));
  const isShared = (line: string) => /^(import|const settings) /.test(line);
  const bodies = programs.map(
    (program) =>
      `{\n${program
        .split("\n")
        .filter((line) => !isShared(line))
        .join("\n")}}\n`,
  );
  const text = [...lines.filter(isShared), source, ...bodies].join("\n");
  await importProgram(folder, text);
}

/**
 * Runs a program of a page on this checkout's sources.
 * @param folder where its file and its session are written
 */
export async function importProgram<Exports>(folder: string, text: string): Promise<Exports> {
  const path = join(folder, "program.ts");
  await writeFile(
    path,
    text
      .replaceAll(/"soundferry\/(\w+)"/g, (_, entry: string) =>
        JSON.stringify(pathToFileURL(join(ROOT, entry, "index.ts"))),
      )
      .replaceAll('"session.json"', JSON.stringify(join(folder, "session.json")))
      .replaceAll(
        '"fixtures/packages/',
        `"${join(ROOT, "fixtures/packages").replaceAll("\\", "/")}/`,
      ),
  );
  return import(/* @vite-ignore */ pathToFileURL(path).href);
}

async function load(folder: string, source: string): Promise<HostClass> {
  const { PrintingHost } = await importProgram<{ PrintingHost: HostClass }>(folder, source);
  return PrintingHost;
}
