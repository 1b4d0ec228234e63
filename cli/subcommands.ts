import type { Command } from "commander";

/** A subcommand in the top level's list, loaded only when it runs. */
export interface Subcommand {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every subcommand, in the order of `--help`. Where two have a subcommand of one name, the first is suggested. */
export const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  up: {
    summary: "start everything on this computer: relay, importer, preview host",
    load: async () => (await import("./commands/up.ts")).upCommand(),
  },
  relay: {
    summary: "start only the relay",
    load: async () => (await import("./commands/relay.ts")).relayCommand(),
  },
  importer: {
    summary: "start only the importer, or get codes, list apps and packages, import",
    load: async () => (await import("./commands/importer.ts")).importerCommand(),
  },
  live: {
    summary: "install Live's control surface, or see whether it answers",
    load: async () => (await import("./commands/live.ts")).liveCommand(),
  },
  "live-set": {
    summary: "check Live Sets without Live: what it would refuse, and where",
    load: async () => (await import("./commands/live-set.ts")).liveSetCommand(),
  },
  send: {
    summary: "send a package folder or WAV files, as an app would",
    load: async () => (await import("./commands/send.ts")).sendCommand(),
  },
  guess: {
    summary: "see what WAV files probably are: loop or one-shot, tempo, key",
    load: async () => (await import("./commands/guess.ts")).guessCommand(),
  },
  layout: {
    summary: "show what package folders become: scene, tracks and clip settings",
    load: async () => (await import("./commands/layout.ts")).layoutCommand(),
  },
  preview: {
    summary: "see and hear in a browser what package folders become",
    load: async () => (await import("./commands/preview.ts")).previewCommand(),
  },
  conformance: {
    summary: "check any relay against the contract, from the outside",
    load: async () => (await import("./commands/conformance.ts")).conformanceCommand(),
  },
  admin: {
    summary: "look after a relay: list, block, revoke, purge, deny, export, erase",
    load: async () => (await import("./commands/admin.ts")).adminCommand(),
  },
  doctor: {
    summary: "find problems on this computer, and what to do about them",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand(),
  },
};
