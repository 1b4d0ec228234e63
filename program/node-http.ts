import type * as http from "node:http";

/**
 * Node's `http`. An `import` of it reads each of its exports, and so loads Node's `fetch`, which takes 9 MB and which
 * nothing here uses.
 */
export const nodeHttp: typeof http = process.getBuiltinModule("node:http");
