/**
 * The contract that a run tries: all that the rules in `docs/rules` promise, or only the public specification, which
 * leaves much of it open.
 */
export type Contract = "whole" | "public";
