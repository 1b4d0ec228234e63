import { type Command, Option } from "commander";
import {
  byGroup,
  flagOf,
  type Setting,
  type SettingsSource,
  type SettingsTable,
} from "../core/settings.ts";

/** Commands that read settings. */
const CONFIGURED = new WeakSet<Command>();

/** Checks whether a command, or one that it belongs to, reads settings. */
export function readsSettings(command: Command): boolean {
  return CONFIGURED.has(command) || (command.parent !== null && readsSettings(command.parent));
}

/** Adds a flag for each setting, named like its variable (rule K3), by groups. Tables may share settings. */
export function withSettings(command: Command, ...tables: readonly SettingsTable[]): Command {
  CONFIGURED.add(command);
  for (const setting of byGroup(tables.flatMap((table) => Object.values(table)))) {
    const option = optionOf(setting);
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option);
  }
  return command;
}

/** The values of given flags, by variable. They override the environment. */
export function flagsGiven(command: Command, ...tables: readonly SettingsTable[]): SettingsSource {
  const given: Record<string, unknown> = command.optsWithGlobals();
  return Object.fromEntries(
    tables
      .flatMap((table) => Object.values(table))
      .flatMap((setting) => {
        const text = given[optionOf(setting).attributeName()];
        return typeof text === "string" ? [[setting.variable, text]] : [];
      }),
  );
}

/** A setting's default, for people. */
export function defaultOf({ fallback, fallbackText }: Setting<unknown>): string {
  const isPlain = typeof fallback === "string" || typeof fallback === "number";
  return fallbackText ?? (isPlain ? String(fallback) : "none");
}

function optionOf(setting: Setting<unknown>): Option {
  const { variable, meaning, group } = setting;
  const description = `${meaning} [${variable}: ${defaultOf(setting)}]`;
  const option = new Option(`--${flagOf(variable)} <value>`, description);
  return group === undefined ? option : option.helpGroup(`${group}:`);
}
