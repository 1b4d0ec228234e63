import { inject } from "vitest";
import { Postgres } from "./postgres.ts";
import type { SwiftPorts } from "./swift-files.ts";
import { Swift } from "./swift.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresPort: number;
    readonly swift: { readonly folder: string; readonly ports: SwiftPorts };
  }
}

/** PostgreSQL for all tests of the run: give each test a database of its own. */
export function sharedPostgres(): Postgres {
  return new Postgres("", inject("postgresPort"), {});
}

/** S3 for all tests of the run: give each test a bucket of its own. */
export function sharedSwift(): Swift {
  const { folder, ports } = inject("swift");
  return new Swift(folder, ports);
}
