import { PANEL_LIVE } from "./panel-live.ts";
import { PANEL_PAIRING } from "./panel-pairing.ts";

/** The panel. */
export const PANEL = {
  ...PANEL_LIVE,
  ...PANEL_PAIRING,

  // The page and its header.
  "panel.no-secret-missing": "This address is incomplete: the part after the # is missing.",
  "panel.no-secret-outdated": "Soundferry was restarted. Open the new address.",
  "panel.no-secret-where":
    "{importer} and {up} print it in the terminal. In Live, right-click a scene and choose {menu}",
  "panel.imports-into": "Imports into {host}",
  "panel.waits-for": "Waiting for {host}",
  "panel.settings": "Settings",
  "panel.close": "Close",
  "panel.retry": "Try again",

  // The connection.
  "panel.link-lost": "No connection to Soundferry",
  "panel.link-looking": "Connecting to Soundferry",
  "panel.looking": "Connecting to Soundferry…",
  "panel.relay-unset": "No relay set",
  "panel.relay-connecting": "Connecting to {relay}",
  "panel.relay-connected": "Connected to {relay}",
  "panel.relay-offline": "No connection to {relay}",

  // The status line.
  "panel.notices": "Messages",
  "panel.notices-read": "Read",
  "panel.notices-all": { one: "Read {count}", other: "Read all {count}" },
  "panel.notice-lost":
    "Soundferry isn’t responding. It may have been stopped. Retrying automatically.",
  "panel.notice-lost-dialog":
    "Soundferry isn’t responding; this is its last known state. You can still import.",
  "panel.notice-retrying": "{trouble} Retrying automatically.",
  "panel.notice-pair-again": "The relay no longer knows this computer. Pair your apps again.",
  "panel.notice-other-relay":
    "Another relay answers at this address than before. Apps that you paired with the earlier one work again when it is back. To use this one, pair them again.",
  "panel.notice-insecure":
    "You paired your apps with this relay over https. Use its https address, or pair them again.",
  "panel.notice-pretends": "Test mode: Soundferry was started with --pretend {outcome}.",
  "panel.moved-notice": "Is the relay at {relay} the one you used before, at a new address?",
  "panel.moved-answer": "Answer",
  "panel.moved-title": "Is this the same relay, moved?",
  "panel.moved-text":
    "The relay at {relay} says that it is the one you used at {before}. Until you answer, Soundferry fetches nothing from it.",
  "panel.moved-how":
    "Say yes only if you know that the relay moved, or that both addresses lead to it: your apps stay paired. If you say no, pair your apps again.",
  "panel.moved-yes": "Yes",
  "panel.moved-no": "No",
  "panel.load-from-importer": "Reload the panel",

  // The list of packages.
  "panel.packages": "Packages",
  "panel.waiting": "Waiting",
  "panel.history": "History",
  "panel.inbox": "Inbox folder",
  "panel.time-left": "{time} left",
  "panel.expired": "Expired before import",
  "panel.package": "Package",
  "panel.gone": "No longer available",
  "panel.taken": "Another import is running or was interrupted",
  "panel.dismissed": "Dismissed",
  "panel.import": "Import",
  "panel.import-some": "Import {chosen} of {count}",
  "panel.import-few": "Import {chosen}",
  "panel.import-title": "Import: {title}",
  "panel.import-some-title": "Import {chosen} of {count}: {title}",
  "panel.import-all": { one: "Import 1 package", other: "Import all {count}" },
  "panel.importing-all": { one: "1 package to go", other: "{count} packages to go" },
  "panel.nothing-to-import": "Nothing to import",
  "panel.new-packages": { one: "1 new package", other: "{count} new packages" },
  "panel.show-new-packages": { one: "Show 1 new package", other: "Show {count} new packages" },
  "panel.result-of": "{imported} of {count}",
  "panel.result-failed": "Failed",
  "panel.result-cancelled": "Cancelled",
  "panel.result-connection-lost":
    "The connection was lost. Nothing was placed. Import again to continue.",

  // Where there are no packages.
  "panel.empty-reading": "Looking for packages…",
  "panel.empty": "No packages yet. They’ll appear here automatically.",
  "panel.empty-no-relay":
    "Packages from your apps will appear here. Folders in the inbox don’t need a relay.",
  "panel.empty-history": "No imports yet.",
  "panel.pick-package": "Choose a package to see its sounds.",

  // One package.
  "panel.sounds-of": "Sounds of {title}",
  "panel.set-tempo": "Set the tempo to {tempo}",
  "panel.set-tempo-now-live": "The Set is at {tempo} now",
  "panel.set-tempo-now": "The session is at {tempo} now",
  "panel.cancel": "Cancel",
  "panel.cancel-title": "Cancel the import of {title}",
  "panel.dismiss": "Dismiss",
  "panel.dismiss-title": "Dismiss {title}",
  "panel.undo-dismiss": "Undo",
  "panel.undo-dismiss-title": "Undo: bring back {title}",
  "panel.reveal-finder": "Show in Finder",
  "panel.reveal-explorer": "Show in Explorer",
  "panel.reveal-folder": "Show in folder",
  "panel.again": "Import again",
  "panel.again-title": "Import again: {title}",
  "panel.same-tracks": "Again on the same tracks",
  "panel.same-tracks-title": "Import again on the same tracks: {title}",
  "panel.take-over": "Take over",
  "panel.take-over-title": "Take over the import of {title}",
  "panel.play-loops": { one: "Play {count} loop", other: "Play {count} loops" },
  "panel.stop": "Stop",
  "panel.none-chosen": "Choose at least one sound.",
  "panel.headline": "{words}, {when}",

  // A sound.
  "panel.sound": "Sound",
  "panel.pick-sound": "Choose a sound to see its settings and notes.",
  "panel.warp": "Warp {mode}",
  "panel.sound-queued": "Queued",
  "panel.sound-fetching": "Fetching",
  "panel.sound-fetched": "Fetched",
  "panel.sound-placed": "Placed",
  "panel.sound-differs": "Differs",
  "panel.sound-not-selected": "Not selected",
  "panel.sound-dismissed": "Dismissed",
  "panel.sound-unusable": "Unusable",
  "panel.sound-note": "Note",
  "panel.sound-no-result": "No result was reported for this sound.",
  "panel.sound-gone": "This sound is no longer available.",
  "panel.sound-loading": "This sound is still being read. Try again.",
  "panel.sound-too-large": "This sound is too large to play here.",
  "panel.sound-no-preview": "This sound can’t be played: it can’t be imported.",

  // Progress.
  "panel.progress-queued": "Queued",
  "panel.progress-taken": "Starting…",
  "panel.progress-fetching": "Fetching: {done} of {total}",
  "panel.progress-retrying": "The connection was lost. Trying again… {time} left",
  "panel.progress-placing": {
    one: "Placing: {placed} of {count} sound",
    other: "Placing: {placed} of {count} sounds",
  },
  "panel.progress-done": "Done",
  "panel.progress-offline": "Done. The app gets the result once the relay is back online.",
  "panel.percent": "{value} %",

  // For screen readers, as it happens.
  "panel.said-connected": "Connected to the relay.",
  "panel.said-offline": "No connection to the relay.",
  "panel.said-unusable": "{title} in the inbox can’t be imported.",
  "panel.said-arrived": "New package from {app}: {title}.",
  "panel.said-importing": "Importing {title}.",
  "panel.said-fetched": "{title}: {percent} fetched.",
  "panel.said-retrying": "{title}: the connection was lost. Trying again.",
  "panel.said-result": "{title}: {words}.",
  "panel.said-error": "{title}: {error}",
  "panel.said-dismissed": "{title} was dismissed.",

  // Times.
  "panel.just-now": "just now",
  "panel.minutes-ago": { one: "{count} min ago", other: "{count} min ago" },
  "panel.today-at": "today, {time}",
  "panel.date-at": "{date}, {time}",

  // Settings.
  "panel.computer": "This computer",
  "panel.computer-name": "Name of this computer",
  "panel.rename": "Rename",
  "panel.rename-title": "Rename this computer, {name}",
  "panel.save": "Save",
  "panel.relay": "Relay",
  "panel.relay-question": "Which relay do your apps send to?",
  "panel.relay-what":
    "The relay is the server your apps send to. It keeps your sounds until you import them. The person who runs it can tell you its address.",
  "panel.relay-address": "The relay’s address",
  "panel.relay-connect": "Connect",
  "panel.relay-change": "Change",
  "panel.relay-busy": "Connecting…",
  "panel.relay-later": "Use the inbox without a relay",
  "panel.sounds-folder": "Sounds folder: {size}",
  "panel.sounds-folder-empty": "Sounds folder: empty",
  "panel.sounds-folder-failed": "Sounds folder: {size}, including {clearable} from failed imports",
  "panel.clear": "Clear {size}",
  "panel.version": "Soundferry {version}",
} as const;
