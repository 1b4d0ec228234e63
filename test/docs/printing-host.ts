import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Host } from "../../addon/hosts/host.ts";

const PAGE = join(import.meta.dirname, "../../docs/build/hosts.md");

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

async function load(folder: string, source: string): Promise<HostClass> {
  const path = join(folder, "printing-host.ts");
  await writeFile(path, source);
  const module: { PrintingHost: HostClass } = await import(
    /* @vite-ignore */ pathToFileURL(path).href
  );
  return module.PrintingHost;
}
