import { createRequire } from "node:module";
import type Conf from "conf";

/**
 * Loads `conf`. A start that only reads its settings does without its 150 modules, which would stay in memory. Builds in
 * one file replace this file.
 */
export function loadConf(): typeof Conf {
  const loaded: { readonly default: typeof Conf } = createRequire(import.meta.url)("conf");
  return loaded.default;
}
