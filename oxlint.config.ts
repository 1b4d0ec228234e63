// Oxlint reads globs from where its configuration lies.
export { default } from "./scripts/config/lint.ts";
