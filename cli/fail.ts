import { CommanderError } from "commander";
import { SettingsError } from "../core/settings.ts";
import { InstanceMismatch } from "../relay/domain/upkeep/instance-mismatch.ts";

/**
 * Success, failure, wrong use, or stores that don't belong together (rule K1). The last is `EX_CONFIG` of
 * `sysexits.h`: a service manager should not start it again.
 */
export type ExitStatus = 0 | 1 | 2 | 78;

/** The command failed; the message is a sentence for the user. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** More that `--json` prints of it. */
  readonly facts: object;

  constructor(
    message: string,
    { facts = {}, ...options }: ErrorOptions & { readonly facts?: object } = {},
  ) {
    super(message, options);
    this.facts = facts;
  }
}

/** The command was used wrongly; the message says how to use it. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}

/** The exit status after an error; requested help is a success. */
export function exitStatusOf(error: unknown): ExitStatus {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof InstanceMismatch) return 78;
  return error instanceof WrongUse || error instanceof SettingsError ? 2 : 1;
}

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Formats an error for people. A bug in the program comes with its stack. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return BUGS.some((Bug) => error instanceof Bug) ? (error.stack ?? error.message) : error.message;
}

/** Returns the value that `--json` prints instead of a result. */
export function errorJson(error: unknown): { readonly error: string; readonly code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (exitStatusOf(error) === 2) {
    return { error: message.replace(/^error: /, ""), code: "WRONG_USE" };
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  const facts = error instanceof Failure ? error.facts : {};
  return { error: message, ...(typeof code === "string" && { code }), ...facts };
}
