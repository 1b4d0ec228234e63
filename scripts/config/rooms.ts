/**
 * The rooms of this house and what each may import. `lint.ts` turns the table into lint rules;
 * ARCHITECTURE.md says what the rooms hold.
 */
export interface Room {
  /** A folder with all that is in it, or, with `/*` at its end, only the files that lie in it directly. */
  readonly path: string;
  /** Paths of the rooms that it may import, besides itself. */
  readonly imports: readonly string[];
  /** Packages it must not import, as regular expressions; `node:` is one. */
  readonly withoutPackages?: readonly string[];
  /** The lint rule's message: the right way. */
  readonly says: string;
}

const ANY_PACKAGE = "^[a-z@]";
const NODE = "^node:";
const LIVE_SDK = "^@ableton";
const NPM = "^(@|[a-mo-z]|n[^o]|no[^d]|nod[^e]|node[^:])";
/** All of Node but `assert`, `buffer` and `timers`. The linter's expressions can't look ahead. */
const NODE_BEYOND_ASSERTIONS = "^node:([^abt]|a[^s]|as[^s]|b[^u]|t[^i])";

const ADDON_STATE = ["program", "addon/disk", "addon/timers.ts", "addon/state"];
const ADDON_RELAY = [...ADDON_STATE, "addon/relay"];
const ADDON_PACKAGES = [...ADDON_RELAY, "addon/packages", "addon/settings.ts"];
const ADDON_RUNS = [...ADDON_PACKAGES, "addon/hosts/*", "addon/runs"];
const ADDON_CONTROL = [
  ...ADDON_RUNS,
  "addon/importer.ts",
  "addon/build-importer.ts",
  "addon/control",
];
const REMOTE_SCRIPT = "addon/hosts/live/remote-script";
const LIVE = ["addon/live-setup", "addon/live-check"];
const HOSTS = [
  "addon/hosts/*",
  "addon/hosts/folder",
  "addon/hosts/preview",
  "addon/hosts/dawproject",
  "addon/hosts/live-set",
  REMOTE_SCRIPT,
];
const RELAY = [
  "relay/*",
  "relay/domain",
  "relay/http",
  "relay/storage",
  "relay/notify",
  "relay/limits",
];

/** Nothing but itself, scripts and tests may import the command line. */
export const COMMAND_LINE = ["cli/*", "cli/commands", "cli/doctor", "cli/admin"];

const PAGE =
  "A page runs in a browser: it imports core/, pages/kit/ and itself, and asks its server over HTTP.";

/** A room within another one stands after it. */
export const ROOMS: readonly Room[] = [
  {
    path: "core",
    imports: [],
    withoutPackages: [ANY_PACKAGE],
    says: "core/ is pure: it imports only itself. Pass clocks, randomness and bytes as arguments; checks are compiled ahead (npm run generate).",
  },
  {
    path: "program",
    imports: ["core"],
    says: "program/ knows where the program's own files lie, how folders are made, flushed and locked, and how bytes are hashed and written, and nothing of what is in them.",
  },
  {
    path: "relay/domain",
    imports: ["core"],
    withoutPackages: [ANY_PACKAGE],
    says: "A use case knows no library and no adapter: reach the world through relay/domain/ports.ts.",
  },
  {
    path: "relay/http",
    imports: ["core", "program", "relay/domain"],
    says: "relay/http/ calls relay/domain/; only relay/open-ports.ts names adapters.",
  },
  {
    path: "relay/storage",
    imports: ["core", "program", "relay/domain"],
    says: "An adapter knows its port and its driver, nothing else.",
  },
  {
    path: "relay/notify",
    imports: ["core", "relay/domain", "relay/storage"],
    says: "An adapter knows its port and its driver, nothing else. PostgreSQL is the driver of several ports.",
  },
  {
    path: "relay/limits",
    imports: ["core", "relay/domain", "relay/storage"],
    says: "An adapter knows its port and its driver, nothing else. PostgreSQL is the driver of several ports.",
  },
  {
    path: "relay/operating",
    imports: ["core", "program", "relay/domain", "relay/storage"],
    says: "relay/operating/ works on a data folder from outside: it imports core/, relay/domain/ and the stores that it copies.",
  },
  {
    path: "relay/*",
    imports: ["core", "program", ...RELAY],
    says: "relay/ and addon/ never import each other; what both need belongs in core/.",
  },
  {
    path: "addon/disk",
    imports: ["core", "program"],
    says: "addon/disk/ writes files safely and knows nothing of what is in them: it imports core/ and program/ only.",
  },
  {
    path: "addon/timers.ts",
    imports: ["core"],
    says: "addon/timers.ts is for any work: it imports core/ only.",
  },
  ...HOSTS.map((path) => ({
    path,
    imports: ["core", "program", "addon/hosts/*", "addon/disk", "addon/timers.ts"],
    withoutPackages: [LIVE_SDK],
    says: "A host knows its port (addon/hosts/host.ts), core/ and addon/disk/, and only the extension's host knows Live's SDK.",
  })),
  {
    path: "addon/hosts/live/sdk",
    imports: ["core", "addon/hosts/*", REMOTE_SCRIPT, "addon/disk", "addon/timers.ts"],
    says: "The extension's host knows its port (addon/hosts/host.ts), the control surface, core/ and addon/disk/.",
  },
  ...LIVE.map((path) => ({
    path,
    imports: ["core", "program", "addon/hosts/*", REMOTE_SCRIPT, "addon/disk", "addon/timers.ts"],
    withoutPackages: [LIVE_SDK],
    says: "Setting up Live and checking it need the control surface and its port, core/ and addon/disk/.",
  })),
  {
    path: "addon/state",
    imports: ["core", "program", "addon/disk", "addon/timers.ts"],
    withoutPackages: [LIVE_SDK],
    says: "addon/state/ says what an importer knows: the rooms above it write it, and it knows none of them.",
  },
  {
    path: "addon/relay",
    imports: ["core", ...ADDON_STATE],
    withoutPackages: [LIVE_SDK],
    says: "addon/relay/ is the connection to a relay: it knows nothing of packages and runs. relay/ itself is asked over HTTP.",
  },
  {
    path: "addon/packages",
    imports: ["core", ...ADDON_RELAY],
    withoutPackages: [LIVE_SDK],
    says: "addon/packages/ finds packages; what imports them is above it, in addon/runs/.",
  },
  {
    path: "addon/settings.ts",
    imports: ["core", ...ADDON_RELAY, "addon/hosts/*"],
    says: "The importer's settings are read before anything is built; of a host they know what it declares.",
  },
  {
    path: "addon/runs",
    imports: ["core", ...ADDON_RUNS],
    withoutPackages: [LIVE_SDK],
    says: "addon/runs/ reaches a host through addon/hosts/host.ts, and is put together by addon/build-importer.ts above it.",
  },
  {
    path: "addon/importer-deps.ts",
    imports: ["core", ...ADDON_RUNS],
    withoutPackages: [LIVE_SDK],
    says: "addon/importer-deps.ts names what an importer is built from: the rooms below it.",
  },
  {
    path: "addon/importer.ts",
    imports: ["core", ...ADDON_RUNS, "addon/importer-deps.ts"],
    withoutPackages: [LIVE_SDK],
    says: "The importer asks the rooms below it, and addon/build-importer.ts puts it together.",
  },
  {
    path: "addon/build-importer.ts",
    imports: ["core", ...ADDON_RUNS, "addon/importer.ts"],
    withoutPackages: [LIVE_SDK],
    says: "addon/build-importer.ts puts the importer together from the rooms below it; relay/ is asked over HTTP.",
  },
  {
    path: "addon/control",
    imports: ["core", ...ADDON_CONTROL],
    withoutPackages: [LIVE_SDK],
    says: "addon/control/ lets other processes ask the importer: it imports the importer and what is below it.",
  },
  {
    path: "addon/extension",
    imports: ["core", ...ADDON_CONTROL, ...LIVE, REMOTE_SCRIPT, "addon/hosts/live/sdk"],
    says: "addon/extension/ is what Live starts: it imports the importer and the Live host.",
  },
  {
    path: "addon/index.ts",
    imports: ["core", ...ADDON_CONTROL, ...HOSTS],
    withoutPackages: [LIVE_SDK],
    says: "addon/index.ts is what others may import; only the extension and the Live host know Live.",
  },
  {
    path: "addon/live-extension.ts",
    imports: ["addon/extension"],
    says: "addon/live-extension.ts is what Live loads: it starts addon/extension/.",
  },
  { path: "pages/kit", imports: ["core"], withoutPackages: [NODE], says: PAGE },
  { path: "pages/panel", imports: ["core", "pages/kit"], withoutPackages: [NODE], says: PAGE },
  { path: "pages/preview", imports: ["core", "pages/kit"], withoutPackages: [NODE], says: PAGE },
  {
    path: "pages/send",
    imports: ["core", "client", "pages/kit"],
    withoutPackages: [NODE],
    says: "pages/send/ imports core/, client/, pages/kit/ and itself; it asks the relay over HTTP.",
  },
  {
    path: "pages/receive",
    imports: ["core", "client", "pages/kit", "pages/panel"],
    withoutPackages: [NODE],
    says: "pages/receive/ is the panel over an importer in the browser: it imports core/, client/, pages/kit/, pages/panel/ and itself.",
  },
  {
    path: "client",
    imports: ["core"],
    withoutPackages: ["^(@[^n]|[a-mo-z]|n[^o]|no[^d]|nod[^e]|node[^:])"],
    says: "client/ imports core/ and two hash functions, which are bundled: apps take it as it is.",
  },
  {
    path: "client/react",
    imports: [],
    withoutPackages: ["^(@[^s]|[a-qs-z]|node:)"],
    says: "client/react/ is what its users install: it imports React and @soundferry/client/element by name.",
  },
  ...COMMAND_LINE.map((path) => ({
    path,
    imports: ["*", ...COMMAND_LINE],
    says: "Nothing imports tests.",
  })),
  {
    path: "cli/conformance",
    imports: ["core"],
    says: "cli/conformance/ judges any relay from outside: it imports core/ and speaks HTTP.",
  },
  {
    path: "cli/layout",
    imports: ["core", ...ADDON_PACKAGES, ...HOSTS],
    says: "cli/layout/ reads packages and writes layouts: the command line starts it, and it knows no command.",
  },
  {
    path: "cli/preview",
    imports: ["core", ...ADDON_CONTROL, "cli/layout"],
    says: "cli/preview/ serves the preview: the command line starts it, and it knows no command.",
  },
  ...["scripts", "fixtures"].map((path) => ({
    path,
    imports: ["*", ...COMMAND_LINE],
    says: "Nothing imports tests.",
  })),
  {
    path: "docs/examples",
    imports: ["relay/*", "relay/domain", "core", "test", "test/contracts/relay"],
    says: "An example imports what the packages publish, and the suites that prove it.",
  },
  { path: "test", imports: ["*", ...COMMAND_LINE], says: "Tests may import anything." },
  {
    path: "test/contracts/relay",
    imports: ["core", "relay/domain"],
    withoutPackages: [NPM, NODE_BEYOND_ASSERTIONS],
    says: "test/contracts/relay/ proves any store with any test framework: it imports core/, relay/domain/ and Node's assertions, timers and buffers.",
  },
];
