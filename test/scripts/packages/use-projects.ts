import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildPackages } from "../../../scripts/packages/build-packages.ts";
import { dependenciesOf, Project, ROOT } from "./project.ts";

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
