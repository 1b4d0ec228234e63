import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Imports and re-exports from other modules. The compiler prints each as one statement with a semicolon. */
const FROM = /^(import|export)\s+(type\s+)?\{([^}]*)\}\s+from\s+"(\.[^"]+)";\n?/gm;

/**
 * Rolls up the types of each entry of the client into one file, by the entry's name. Each source file
 * becomes a namespace, so that names in different files can't collide; the entry's own exports follow at the end.
 * @param entries by name: relative to the project's root, without an ending, such as `client/index`
 */
export async function rollUpTypes(
  entries: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-types-"));
  try {
    await emitTypes(folder);
    const rolled = Object.entries(entries).map(async ([name, entry]): Promise<[string, string]> => [
      name,
      await rollUp(folder, entry),
    ]);
    return new Map(await Promise.all(rolled));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the types of the client's entries, and of all that they import, into a folder. */
export async function emitTypes(folder: string): Promise<void> {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const args = [compiler, "-p", "client/tsconfig.types.json", "--outDir", folder];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
}

async function rollUp(folder: string, entry: string): Promise<string> {
  const modules = new Map<string, string>();
  await collect(folder, entry, modules);
  const parts = [...modules].map(
    ([name, text]) => `declare namespace ${spaceOf(name)} {\n${inNamespace(name, text)}}\n`,
  );
  return [...parts, ...exportsOf(entry, modules), ""].join("\n");
}

/** Reads a module and all that it imports, each once. */
async function collect(folder: string, name: string, modules: Map<string, string>): Promise<void> {
  if (modules.has(name)) return;
  const text = await readFile(join(folder, `${name}.d.ts`), "utf8");
  modules.set(name, text);
  for (const [, , , , from = ""] of text.matchAll(FROM)) {
    await collect(folder, resolved(name, from), modules);
  }
}

function resolved(importer: string, from: string): string {
  return posix.join(dirname(importer), from).replace(/\.(d\.)?[jt]sx?$/, "");
}

function spaceOf(name: string): string {
  return name.replaceAll(/\W/g, "_");
}

function inNamespace(name: string, text: string): string {
  const body = text
    .replaceAll(FROM, (_, word: string, _type, names: string, from: string) =>
      aliasesIn(names)
        .map(({ imported, local }) => {
          const target = `${spaceOf(resolved(name, from))}.${imported}`;
          return `${word === "export" ? "export " : ""}import ${local} = ${target};\n`;
        })
        .join(""),
    )
    .replaceAll(/^export \{\};\n?/gm, "")
    .replaceAll(/^(export )?declare /gm, "$1");
  if (
    /^import |^export (\*|\{)|import\(/m.test(body.replaceAll(/^(export )?import \w+ = .*$/gm, ""))
  )
    throw new Error(
      `${name} imports in a way that scripts/client/roll-up-types.ts can't put into one file.`,
    );
  return body;
}

function aliasesIn(names: string) {
  return names
    .split(",")
    .map((one) => one.trim().replace(/^type /, ""))
    .filter((one) => one !== "")
    .map((one) => {
      const [imported = "", local = imported] = one.split(" as ");
      return { imported, local };
    });
}

/** Lists the entry's exports, whether its own or another module's. */
function exportsOf(entry: string, modules: ReadonlyMap<string, string>): string[] {
  const text = modules.get(entry) ?? "";
  const own = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type|enum) (\w+)/gm,
    ),
  ];
  const passedOn = [...text.matchAll(FROM)]
    .filter(([, word]) => word === "export")
    .flatMap(([, , , names = ""]) => aliasesIn(names).map(({ local }) => local));
  const names = new Set([...own.map(([, name = ""]) => name), ...passedOn]);
  return [...names].map((name) => `export import ${name} = ${spaceOf(entry)}.${name};`);
}
