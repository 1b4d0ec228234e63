import { type Command, Option } from "commander";
import { flagOf, type Setting, type SettingsSource, type SettingsTable } from "../core/settings.ts";

/** Gives a command a flag for each setting, named like its variable (rule K3). Tables may share some. */
export function withSettings(command: Command, ...tables: readonly SettingsTable[]): Command {
  for (const setting of tables.flatMap((table) => Object.values(table))) {
    const option = optionOf(setting);
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option);
  }
  return command;
}

/** The texts that flags gave, by their variable's name; they win over the environment. */
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

/** What stands where a setting is not given, for people. */
export function defaultOf({ fallback, fallbackText }: Setting<unknown>): string {
  const isPlain = typeof fallback === "string" || typeof fallback === "number";
  return fallbackText ?? (isPlain ? String(fallback) : "none");
}

function optionOf(setting: Setting<unknown>): Option {
  const { variable, meaning } = setting;
  const description = `${meaning} [${variable}: ${defaultOf(setting)}]`;
  return new Option(`--${flagOf(variable)} <value>`, description);
}
