/** Every configuration of the compiler: rooms by their environment, and once all as it is published. */
export const PROJECTS: readonly string[] = [
  ".",
  "scripts/config/tsconfig.build.json",
  "core",
  "client",
  "client/react",
  "pages",
];

/** A change of one of these may change every type. */
const SETS_TYPES = /(?:^|\/)(?:tsconfig[\w.]*\.json|package(?:-lock)?\.json)$/;

/** The configurations with a file of their own that a change reaches. @param reached from the root, with slashes */
export function affectedProjects(reached: readonly string[]): readonly string[] {
  if (reached.some((path) => SETS_TYPES.test(path))) return PROJECTS;
  const sources = reached.filter((path) => /\.(?:tsx?|[cm]?js)$/.test(path));
  if (sources.length === 0) return [];
  return PROJECTS.filter((project) => {
    if (project === "." || project.endsWith(".json")) return true;
    // It imports the client by its published name.
    const folders = project === "client/react" ? [project, "client"] : [project];
    return sources.some((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
  });
}
