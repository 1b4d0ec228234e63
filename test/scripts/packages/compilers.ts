import { createRequire } from "node:module";
import { join } from "node:path";
import { type Project, ROOT, type Projects } from "./project.ts";
import { describe, expect, test } from "vitest";
import { IN_NODE, IN_REACT, ON_A_PAGE, ON_A_SERVER } from "./programs.ts";

/** This checkout's TypeScript. */
const NEW = join(ROOT, "node_modules/typescript/bin/tsc");
/** One that still has `node10`; TypeScript 7 does not. */
const OLD = createRequire(
  createRequire(import.meta.url).resolve("@arethetypeswrong/core/package.json"),
).resolve("typescript/bin/tsc");

/** A project's way of resolving modules, and the ending of its sources. */
export interface Resolution {
  readonly title: string;
  readonly ending: "cts" | "ts" | "tsx";
  readonly compiler: string;
  /** Options of the compiler. */
  readonly options: { readonly module: string; readonly moduleResolution: string };
}

export const BUNDLER: Resolution = {
  title: "bundler",
  ending: "ts",
  compiler: NEW,
  options: { module: "esnext", moduleResolution: "bundler" },
};

export const NODENEXT: Resolution = {
  title: "nodenext",
  ending: "ts",
  compiler: NEW,
  options: { module: "nodenext", moduleResolution: "nodenext" },
};

export const COMMONJS: Resolution = { ...NODENEXT, title: "nodenext in CommonJS", ending: "cts" };

export const NODE16: Resolution = {
  title: "node16 in CommonJS",
  ending: "cts",
  compiler: NEW,
  options: { module: "node16", moduleResolution: "node16" },
};

export const NODE10: Resolution = {
  title: "node10",
  ending: "ts",
  compiler: OLD,
  options: { module: "commonjs", moduleResolution: "node10" },
};

/** The types against which a program is checked besides its packages. */
export type Surroundings = Readonly<Record<string, unknown>>;

export const IN_A_BROWSER: Surroundings = { lib: ["es2023", "dom", "dom.iterable"], types: [] };
export const WITH_NODE: Surroundings = {
  lib: ["es2023", "esnext.disposable"],
  types: ["node"],
  typeRoots: [join(ROOT, "node_modules/@types")],
};

/** Writes a program into a project; returns the command that compiles it strictly. */
export async function compilation(
  project: Project,
  program: string,
  { ending, compiler, options }: Resolution,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const file = `program.${ending}`;
  await project.write(file, program);
  const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: "es2023" };
  const compilerOptions = { ...strict, ...options, ...surroundings };
  await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
  return [compiler, "-p", "tsconfig.json"];
}

/** Strict programs find the types of every entry. */
export function testTypes({ client, react, server }: Projects): void {
  const page = { where: "on a page", text: ON_A_PAGE, project: client, more: IN_A_BROWSER };
  const node = { where: "in Node", text: IN_NODE, project: client, more: WITH_NODE };
  const component = { where: "in React", text: IN_REACT, project: react, more: IN_A_BROWSER };
  // Its types are those of its dependencies, too.
  const lenient = { ...WITH_NODE, skipLibCheck: true };
  const embedded = { where: "on a server", text: ON_A_SERVER, project: server, more: lenient };

  describe.each([
    { how: BUNDLER, programs: [page, component] },
    { how: NODENEXT, programs: [node, component, embedded] },
    { how: COMMONJS, programs: [node, embedded] },
    { how: NODE10, programs: [page, component, node, embedded] },
  ])("TypeScript with $how.title, strict", ({ how, programs }) => {
    test.each(programs)("[PK4][W11] a program $where has its types", async (program) => {
      const project = program.project();
      const words = await compilation(project, program.text, how, program.more);
      expect(await project.run(...words)).toBe("");
    });
  });

  test("[PK4] TypeScript with node16 tells a CommonJS program what to do", async () => {
    const words = await compilation(client(), IN_NODE, NODE16, WITH_NODE);
    const failure = await client().runBadly(...words);
    expect(failure).toMatch(/TS1479[^]*dynamic 'import\("@soundferry\/client"\)'/);
  });
}
