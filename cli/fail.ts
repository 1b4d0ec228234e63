import { CommanderError } from "commander";
import { SettingsError } from "../core/settings.ts";

/** What a command ends with (rule K1): done, the thing asked for failed, wrong use. */
export type ExitStatus = 0 | 1 | 2;

/** The thing asked for failed; the message is a sentence for the person who asked. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command was used wrongly; the message says how to use it. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}

/** How the process should end after this error; help that was asked for is no failure. */
export function exitStatusOf(error: unknown): ExitStatus {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof WrongUse || error instanceof SettingsError ? 2 : 1;
}

const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

/** What to tell people about an error. A mistake in the program itself comes with where it happened. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return MISTAKES.some((Mistake) => error instanceof Mistake)
    ? (error.stack ?? error.message)
    : error.message;
}

/** What `--json` prints in place of a result. */
export function errorJson(error: unknown): { readonly error: string; readonly code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (exitStatusOf(error) === 2) {
    return { error: message.replace(/^error: /, ""), code: "WRONG_USE" };
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return { error: message, ...(typeof code === "string" && { code }) };
}
