import { importerSettings } from "../addon/settings.ts";
import { isInjected, type SettingsSource } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";
import { APP_SETTINGS } from "./commands/send/app-settings.ts";
import { mistakesIn } from "./nearest-of.ts";

/** Sentences on variables that look like settings but aren't (rule K12). */
export interface NameFindings {
  /** A name that is probably a misspelled setting, one sentence each. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const PREFIX = "SOUNDFERRY_";
/** A name with at most this many letters changed was meant to be a setting. */
const MOST_MISTAKES = 2;

/** Variables that the checkout's own scripts and tests read. */
const OF_THE_CHECKOUT = [
  "SOUNDFERRY_INSTALLED_NODE",
  "SOUNDFERRY_DAWPROJECT_XSD",
  "SOUNDFERRY_CORPUS",
  "SOUNDFERRY_MUTATE_TESTS",
  "SOUNDFERRY_PRINT_FIGURES",
];

/** Compares the names of an environment's variables with those of all settings. */
export function judgeSettingNames(environment: SettingsSource): NameFindings {
  const known = knownNames();
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !known.has(name) && environment[name] !== "",
  );
  const injected = unknown.filter((name) => isOfPlatform(name, environment[name] ?? ""));
  const others = unknown.filter((name) => !injected.includes(name));
  const meant = others.map((name) => ({ name, setting: nearestSetting(name, known) }));
  const strange = meant.filter(({ setting }) => setting === undefined).map(({ name }) => name);
  return {
    problems: meant.flatMap(({ name, setting }) =>
      setting === undefined ? [] : [`${name} is not a setting. Did you mean ${setting}?`],
    ),
    warnings: [
      ...(strange.length === 0 ? [] : [`Not settings, and ignored: ${strange.join(", ")}.`]),
      ...(injected.length === 0
        ? []
        : [
            `Set by a container platform for a service of that name, and ignored: ${injected.join(", ")}. ` +
              "With enableServiceLinks: false, Kubernetes leaves them out.",
          ]),
    ],
  };
}

function knownNames(): ReadonlySet<string> {
  const tables = [RELAY_SETTINGS, importerSettings(), APP_SETTINGS];
  const settings = tables.flatMap((table) => Object.values(table)).map(({ variable }) => variable);
  return new Set([...settings, ...OF_THE_CHECKOUT]);
}

/** `SOUNDFERRY_SERVICE_HOST`, `SOUNDFERRY_RELAY_SERVICE_PORT_HTTP`, `SOUNDFERRY_PORT_4700_TCP_ADDR` and the like. */
function isOfPlatform(name: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT)(?:_\w+)?$/.test(name) ||
    /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
    isInjected(value)
  );
}

function nearestSetting(name: string, known: ReadonlySet<string>): string | undefined {
  const [nearest] = [...known]
    .map((setting) => ({ setting, mistakes: mistakesIn(name.toUpperCase(), setting) }))
    .filter(({ mistakes }) => mistakes <= MOST_MISTAKES)
    .toSorted((one, other) => one.mistakes - other.mistakes);
  return nearest?.setting;
}
