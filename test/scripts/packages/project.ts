import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile, mkdtemp, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runNpm } from "../../../scripts/run-npm.ts";
import { tmpdir } from "node:os";
import { afterAll, beforeAll } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildPackages } from "../../../scripts/packages/build-packages.ts";

export const ROOT = join(import.meta.dirname, "../../..");
const MODULES = join(ROOT, "node_modules");

/** Someone else's project with packages installed, and nothing of this checkout's. */
export class Project {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** A new one, in which `.js` and `.ts` files are ES modules. */
  static async make(folder: string): Promise<Project> {
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "package.json"),
      '{"name":"empty","private":true,"type":"module"}',
    );
    return new Project(folder);
  }

  /**
   * Installs packed files without a network.
   * @param others packages that this checkout has; the project links to them
   */
  async install(files: readonly string[], others: readonly string[] = []): Promise<void> {
    const linked = others.map((name) => join(MODULES, name));
    // What is linked would run the scripts of its own developers.
    const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await runNpm(["install", ...flags, ...files, ...linked], this.folder);
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), "utf8");
  }

  /**
   * Runs a script on this Node; returns what it prints.
   * @throws {Error} with all that it prints, if it fails
   */
  async run(...words: readonly string[]): Promise<string> {
    const { status, output } = await this.#start(words);
    if (status !== 0) throw new Error(output);
    return output.trim();
  }

  /** Runs a script that is expected to fail; returns all that it prints. */
  async runBadly(...words: readonly string[]): Promise<string> {
    const { status, output } = await this.#start(words);
    if (status === 0) throw new Error(`It did not fail. ${output}`);
    return output;
  }

  async #start(words: readonly string[]): Promise<{ status: number | null; output: string }> {
    const running = spawn(process.execPath, words, { cwd: this.folder });
    let output = "";
    for (const stream of [running.stdout, running.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const [status] = await once(running, "close");
    return { status, output };
  }
}

/** The names of a package.json's dependencies. */
export async function dependenciesOf(manifest: string): Promise<readonly string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(ROOT, manifest), "utf8"));
  return Object.keys(dependencies);
}

/** Packages that a React app has, as far as this checkout brings them. */
const REACT = ["react", "react-dom", "scheduler", "@types/react", "@types/react-dom", "csstype"];

/** Other people's projects, each with packages of ours installed. They are there once the tests run. */
export interface Projects {
  /** The folder with the packed files. */
  readonly packed: () => string;
  /** The path of an npm package's packed file. */
  readonly file: (name: string) => string;
  /** Has `@soundferry/client` and nothing else. */
  readonly client: () => Project;
  /** Has `@soundferry/react`, what it needs, and React. */
  readonly react: () => Project;
  /** Has `soundferry`. */
  readonly server: () => Project;
}

/**
 * Builds the packages once for all tests of a file, and makes the projects. With `PACKAGES_TO_TEST`, a folder, it takes
 * the files that are there.
 */
export function useProjects(): Projects {
  const built = process.env["PACKAGES_TO_TEST"];
  let folder = "";
  let projects: Readonly<Record<"client" | "react" | "server", Project>>;
  const packed = () => (built === undefined ? join(folder, "packed") : resolve(ROOT, built));
  const file = (name: string) => join(packed(), `${name}-${VERSION}.tgz`);
  beforeAll(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), "soundferry-packages-"));
    if (built === undefined) await buildPackages(packed());
    const client = await Project.make(join(folder, "client"));
    await client.install([file("soundferry-client")]);
    const react = await Project.make(join(folder, "react"));
    await react.install([file("soundferry-client"), file("soundferry-react")], REACT);
    const server = await Project.make(join(folder, "server"));
    await server.install([file("soundferry")], await dependenciesOf("package.json"));
    projects = { client, react, server };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    packed,
    file,
    client: () => projects.client,
    react: () => projects.react,
    server: () => projects.server,
  };
}
