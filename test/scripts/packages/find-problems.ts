import { readFile } from "node:fs/promises";
// By path: under Vitest, the condition "development" leads the package's name to sources in TypeScript.
import {
  checkPackage,
  createPackageFromTarballData,
} from "../../../node_modules/@arethetypeswrong/core/dist/index.js";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Rule PK3 says what `require` gets: Node loads ES modules that way, or says what to do. */
const KNOWN: ReadonlySet<string> = new Set(["CJSResolvesToESM"]);

/**
 * Lists the problems that two outside judges find in a packed file: in its fields, and in its types under each
 * resolution.
 */
export async function findProblems(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const tarball = Uint8Array.from(bytes).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const checked = await checkPackage(createPackageFromTarballData(bytes));
  if (checked.types === false) return ["It has no types."];
  const entries = new Set(Object.keys(checked.entrypoints).filter(isTyped));
  const wrong = checked.problems.flatMap((problem) => {
    const entry = "entrypoint" in problem ? problem.entrypoint : "";
    const isKnown = KNOWN.has(problem.kind) || (entry !== "" && !entries.has(entry));
    return isKnown ? [] : [`${problem.kind} ${entry}`];
  });
  return [...messages.map((message) => formatMessage(message, pkg) ?? message.code), ...wrong];
}

/** Pages, scripts for relays and package.json are files to read. */
function isTyped(entry: string): boolean {
  return !/\.(html|js|json)$/.test(entry);
}
