/** Words like a limit's that name something else; a measurement says how much was measured. */
export const OTHERS: readonly (readonly [page: RegExp, words: RegExp])[] = [
  [/^docs\/build\/performance\.md$/, /200 MB|1 MiB/],
  [/^README\.md$/, /Upload of a 200 MB WAV|32 sounds, 200 MB/],
  [/^(README|CHANGELOG|docs\/start\/first-sound|ARCHITECTURE)\.md$/, /(in|renders) five minutes/],
  [/^docs\/use\/dawproject\.md$/, /[Mm]ore than 4 GiB/],
  [
    /^docs\/rules\/client\.md$/,
    /pieces of 1 MiB|to 1 MiB without|(file of|at least) 1 MiB|lease of 15 seconds/,
  ],
  [/^(docs\/rules\/client|client\/python\/README)\.md$/, /an answer (the client reads )?1 MiB/],
  [/^docs\/rules\/client\.md$/, /after 30 seconds, and|3 seconds after the netw/],
  [/^(docs\/rules\/client|CHANGELOG)\.md$/, /an answer, 1 MiB is read/],
  [
    /^docs\/rules\/client\.md$/,
    /the body, 30 sec|answer's body has 30 sec|500 characters are shown/,
  ],
  [/^docs\/(rules|use)\/client\.md$/, /an hour, after 24 hours with|1 hour, with `keep` 24 hours/],
  [/^docs\/use\/client\.md$/, /up to 15 seconds where|sounds of more than 1 MiB/],
  [/^docs\/operate\/scaling\.md$/, /service is silent for 30 seconds/],
  [/^docs\/build\/stores\.md$/, /otherwise 5 minutes after the end/],
  [
    /^docs\/operate\/abuse\.md$/,
    /1 MiB each|200 MB from 20|1 MiB: nested|of 32 sounds|1 MiB without|200 MB of memory|200 MiB until its|fills its computer's 200|gets 848 MiB/,
  ],
  [/^docs\/rules\/limits\.md$/, /in any 60 seconds/],
  [/^(docs\/rules\/http|CHANGELOG)\.md$/, /cut at 200 characters/],
  [
    /^docs\/rules\/importer-api\.md$/,
    /at most 1 MiB, a page|at most 200 characters, spans|cut at 200 characters/,
  ],
  [/^docs\/(rules\/panel|use\/command-line)\.md$/, /once, within 10 minutes/],
  [/^docs\/rules\/keeping\.md$/, /renewed every 30 seconds/],
  [/^docs\/rules\/layout\.md$/, /where 1 MiB is reached/],
];
