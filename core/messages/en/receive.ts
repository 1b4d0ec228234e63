/** The page at `/receive`, beside the panel’s texts. */
export const RECEIVE = {
  // The first visit.
  "receive.title": "Receive sounds in this browser",
  "receive.what":
    "Your apps can send to this browser as to a computer. What they send waits at the relay until you import it, into a folder or as a ZIP.",
  "receive.name": "Name of this browser",
  "receive.name-hint": "Apps show it where they send.",
  "receive.key": "Registration key",
  "receive.key-hint":
    "This relay registers computers only with a key. The person who runs it can give you one.",
  "receive.begin": "Receive",
  "receive.beginning": "Registering…",
  "receive.insecure":
    "On a plain http address, a browser can receive only on the relay’s own computer. Open this page over https.",
  "receive.unable":
    "This browser can’t keep files for this page. Use another browser, or a window that isn’t private.",
  "receive.send-instead": "Send sounds instead",

  // Another tab, and the time until the storage was read.
  "receive.elsewhere-title": "Another tab is receiving",
  "receive.elsewhere": "Only one tab of a browser receives at a time.",
  "receive.here": "Receive here instead",
  "receive.looking": "Looking…",

  // Where imports go.
  "receive.where-title": "Where should imports go?",
  "receive.where-what":
    "Each package becomes its sounds as WAVs, with a DAWproject file. It goes into a folder of yours, or your browser saves it as one ZIP.",
  "receive.where-once": "You’re asked only once. The settings can change it.",
  "receive.choose-folder": "Choose a folder",
  "receive.folder-tip": "Tip: choose Live’s User Library → Samples.",
  "receive.save-zip": "Save as ZIP",
  "receive.no-folders":
    "This browser can’t write into a folder. Chrome and Edge on a computer can.",
  "receive.saves-into": "Saves into {folder}",
  "receive.saves-zip": "Saves as ZIP",
  "receive.not-chosen": "Nothing was imported. First choose where imports go.",

  // The settings.
  "receive.place": "Imports",
  "receive.into-folder": "They go into the folder {folder}.",
  "receive.into-zip": "Each package is saved as one ZIP.",
  "receive.undecided": "The first import asks where they go.",
  "receive.asks-again":
    "After this page was closed, the browser asks you to allow the folder again with the next import.",
  "receive.live-set": "Also write a Live Set (experimental)",
  "receive.live-set-hint": "Not yet opened in a real Live.",
  "receive.forget-title": "This browser",
  "receive.forget-what": "To stop receiving here, forget this browser.",
  "receive.forget": "Forget this browser",
  "receive.forget-question":
    "The relay deletes the packages that wait for this browser, and unpairs its apps. This browser deletes its access to the relay. Files that you imported stay.",
  "receive.forget-keep": "Keep",
  "receive.forget-here": "Forget only here",
  "receive.forget-here-what":
    "Or forget it only here. The relay then keeps its packages until they expire.",

  // One package.
  "receive.zip-again": "Save the ZIP again",
  "receive.zip-again-title": "Save the ZIP again: {title}",
  "receive.relay-fixed": "This page receives from the relay that serves it.",
} as const;
