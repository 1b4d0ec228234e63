import { describe, expect, test } from "vitest";
import {
  BUNDLER,
  COMMONJS,
  compilation,
  IN_A_BROWSER,
  NODE10,
  NODE16,
  NODENEXT,
  WITH_NODE,
} from "./compilers.ts";
import { IN_NODE, IN_REACT, ON_A_PAGE, ON_A_SERVER } from "./programs.ts";
import type { Projects } from "./use-projects.ts";

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
