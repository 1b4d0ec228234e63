/** Why a sound is guessed to be what it is: one text about its kind, one about its tempo. */
export const GUESSES = {
  "guess.word_loop": "“{text}” in the name says loop.",
  "guess.word_oneshot": "“{text}” in the name says one-shot.",
  "guess.folder_loop": "Its folder says loop.",
  "guess.folder_oneshot": "Its folder says one-shot.",
  "guess.short": "It is too short for a loop.",
  "guess.note": "Its name is that of a single note or chord.",
  "guess.chunk": "The file says that it is a one-shot.",
  "guess.no_tempo": "Its length fits no tempo.",
  "guess.nothing": "Neither name nor length says whether it is a loop.",
  "guess.tempo_unknown": "Its tempo is unknown.",
  "guess.in_name": {
    one: "“{text}” in the name; {count} beat fits the length.",
    other: "“{text}” in the name; {count} beats fit the length.",
  },
  "guess.in_name_tail": {
    one: "“{text}” in the name; {count} beat, the rest is its tail.",
    other: "“{text}” in the name; {count} beats, the rest is its tail.",
  },
  "guess.near_name": {
    one: "“{text}” in the name is near; {count} beat fills the file.",
    other: "“{text}” in the name is near; {count} beats fill the file.",
  },
  "guess.in_folder": {
    one: "“{text}” in the folder's name; {count} beat fits the length.",
    other: "“{text}” in the folder's name; {count} beats fit the length.",
  },
  "guess.in_folder_tail": {
    one: "“{text}” in the folder's name; {count} beat, the rest is its tail.",
    other: "“{text}” in the folder's name; {count} beats, the rest is its tail.",
  },
  "guess.near_folder": {
    one: "“{text}” in the folder's name is near; {count} beat fills the file.",
    other: "“{text}” in the folder's name is near; {count} beats fill the file.",
  },
  "guess.package": {
    one: "{count} beat at the package's tempo fits the length.",
    other: "{count} beats at the package's tempo fit the length.",
  },
  "guess.count": {
    one: "The name says {count} beat.",
    other: "The name says {count} beats.",
  },
  "guess.acid": {
    one: "The file says {count} beat (ACID), and its length agrees.",
    other: "The file says {count} beats (ACID), and its length agrees.",
  },
  "guess.length": {
    one: "Its length fits {count} beat exactly.",
    other: "Its length fits {count} beats exactly.",
  },
  "guess.region": {
    one: "The file marks {count} beat as its loop.",
    other: "The file marks {count} beats as its loop.",
  },
  "guess.smpl": {
    one: "The file says that it is one whole loop; {count} beat is likely.",
    other: "The file says that it is one whole loop; {count} beats are likely.",
  },
  "guess.likely": {
    one: "Going by its length, {count} beat is likely.",
    other: "Going by its length, {count} beats are likely.",
  },
} as const;
