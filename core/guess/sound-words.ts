import type { SoundRole } from "../manifest/manifest.ts";
import { withoutAccents } from "../text/fold-case.ts";

/** The meaning of one word of a name. */
export interface WordMeaning {
  /** Evidence for a loop (above 0) or a one-shot (below), as log-odds. */
  readonly leaning: number;
  readonly role?: SoundRole;
  /** Set for `loop` and the like, which settle what tempo and length only hint at. */
  readonly isExplicit?: true;
  /** Set for a gesture such as a riser: a one-shot even if it lasts whole bars at a tempo. */
  readonly isGesture?: true;
  /** Set for what is cut to the bar from a record, so that its length says its tempo. */
  readonly isBreak?: true;
}

interface WordGroup extends WordMeaning {
  readonly words: string;
}

/** Words in lower case, without accents; phrases as `simplify` writes them. English, German, French, Spanish. */
const GROUPS: readonly WordGroup[] = [
  {
    words: "loop loops looped boucle boucles schleife schleifen bucle bucles",
    leaning: 6,
    isExplicit: true,
  },
  { words: "drumloop drumloops", leaning: 6, role: "drums", isExplicit: true },
  {
    words: "oneshot oneshots shot shots hit hits single singles note notes",
    leaning: -6,
    isExplicit: true,
  },
  {
    words: "break breaks brk brks breakbeat breakbeats amen",
    leaning: 3,
    role: "drums",
    isBreak: true,
  },
  {
    words:
      "beat groove grooves rhythm rhythms dembow " +
      "drumbeat backbeat toploop rhythmus schlagzeug drumming",
    leaning: 3,
    role: "drums",
  },
  { words: "tops drums bateria batterie steppers stepper", leaning: 2.5, role: "drums" },
  { words: "toms fill fills drumfill fillin", leaning: 1.5, role: "drums" },
  { words: "top", leaning: 1.2, role: "drums" },
  { words: "bassline basslines", leaning: 3, role: "bass" },
  {
    words:
      "riff riffs arp arps arpeggio melody melodies melodic melodie melodia progression chordprog " +
      "ostinato lick licks strum strumming skank topline",
    leaning: 3,
    role: "melodic",
  },
  {
    words:
      "phrase phrases pattern patterns sequence seq ptn line stem stems riddim fullmix shuffle",
    leaning: 2.5,
  },
  { words: "full roller rollers combo swing", leaning: 1.5 },
  { words: "mix jam idea roll rolls", leaning: 0.5 },
  { words: "chords chordz akkorde accords acordes", leaning: 1.5, role: "melodic" },
  { words: "stabs", leaning: 0, role: "melodic" },
  { words: "hook hooks verse chorus acapella acappella", leaning: 2, role: "vocal" },
  {
    words:
      "kick snare clap rim rimshot sidestick hat hihat hh openhat tom ride cymbal cowbell snap " +
      "bd sd sn cp cb clave claves woodblock stick clap handclap china timpani " +
      "trommel becken kuhglocke klatscher caja bombo charley platillo palmada cymbale tambour snr kik " +
      "bassdrum kickdrum snaredrum timbale agogo guiro triangle cabasa vibraslap timp cuica stomp grossecaisse caisseclaire ohh chh clhat ophat clhh ophh cymb clsd",
    leaning: -3,
    role: "drums",
  },
  {
    words:
      "kicks snares claps rims rimshots hats hihats cymbals cowbells snaps rides " +
      "shaker shakers tambourine tamb maraca maracas bongo conga tabla djembe cajon perc",
    leaning: -1,
    role: "drums",
  },
  {
    words:
      "drum percussion percs bongos congas tablas perkussion percusion drumkit drumfunk kit boombap",
    leaning: 0,
    role: "drums",
  },
  {
    words: "bass bassy basse bajo sub subbass reese wobble growl moogbass bassguitar 808s",
    leaning: 0,
    role: "bass",
  },
  { words: "chord akkord accord acorde stab pluckshot", leaning: -2.5, role: "melodic" },
  {
    words:
      "pad pads piano keys key rhodes wurli wurlitzer organ orgel orgue clav clavinet guitar gitarre " +
      "guitare guitarra gtr gtrs synth lead leads pluck plucks strings string violin cello viola harp " +
      "brass horn horns sax saxophone trumpet trombone flute flutes bell bells marimba kalimba vibes " +
      "vibraphone glockenspiel sitar koto mandolin banjo ukulele harmonica accordion supersaw klavier " +
      "mallet mallets epiano celesta bouzouki oud harpsichord piccolo clarinet oboe bassoon ensemble " +
      "orchestra streicher bläser cuerdas cordes melo synths koto tines ep",
    leaning: 0,
    role: "melodic",
  },
  {
    words:
      "vocal vocals vox voice voices choir chant acap singer gesang stimme chor voix coro voz rap",
    leaning: 0,
    role: "vocal",
  },
  { words: "adlib adlibs chop chops ooh ahh hum", leaning: 0, role: "vocal" },
  {
    words: "hey yeah shout shouts scream laugh uh huh woo whisper breath",
    leaning: -2,
    role: "vocal",
  },
  {
    words:
      "texture textures atmos atmo atmosphere ambience ambient ambiance drone drones vinyl crackle " +
      "rain wind soundscape fieldrecording noise hiss room regen ambiente ambiances nature water",
    leaning: 0,
    role: "texture",
  },
  {
    words: "fx sfx effect effects effekt effekte efectos effets glitch",
    leaning: -2.5,
    role: "fx",
  },
  {
    words:
      "door applause crowd thunder footstep footsteps bottle coin coins bark click clang clank scrape " +
      "slap knock camera tick chime chimes alarm cheer burst drip",
    leaning: -2.5,
    role: "fx",
  },
  { words: "foley drop drops", leaning: -1, role: "fx" },
  {
    words: "siren rewind scratch buildup build noiseburst blip bleep beep",
    leaning: -2.5,
    role: "fx",
  },
  {
    words: "crash crashes splash splashes gong gongs",
    leaning: -3,
    role: "drums",
    isGesture: true,
  },
  {
    words:
      "riser risers rise uplifter uplifters downlifter downlifters upsweep downsweep sweep sweeps impact " +
      "impacts whoosh woosh swoosh whooshes swell boom booms subdrop explosion braam stinger transition " +
      "transitions gunshot laser zap zaps airhorn tapestop spinback smash slam bang downer downshifter " +
      "reverse reversed thud shatter subboom drophit cinematichit einschlag",
    leaning: -4,
    role: "fx",
    isGesture: true,
  },
];

/** Words of other languages, as they are spelled, that mean just one thing. */
const OTHER_LANGUAGES: readonly WordGroup[] = [
  { words: "ループ 루프 循环 循環 луп петля", leaning: 6, isExplicit: true },
  { words: "ワンショット 単発 원샷 单次 ваншот", leaning: -6, isExplicit: true },
  { words: "ブレイク ブレイクビーツ 브레이크 брейк", leaning: 3, role: "drums", isBreak: true },
  {
    words: "ビート リズム グルーヴ グルーブ 비트 리듬 节奏 節奏 鼓点 ритм бит",
    leaning: 3,
    role: "drums",
  },
  {
    words: "ドラム ドラムス 드럼 鼓 барабаны ударные batteria perkusja",
    leaning: 0,
    role: "drums",
  },
  { words: "フィル 필인", leaning: 1.5, role: "drums" },
  {
    words:
      "キック スネア クラップ ハイハット シンバル タム リム 킥 스네어 클랩 하이햇 底鼓 军鼓 軍鼓 бочка тарелка " +
      "cassa rullante",
    leaning: -3,
    role: "drums",
  },
  {
    words: "パーカッション シェイカー 퍼커션 打击乐 打擊樂 перкуссия",
    leaning: -0.5,
    role: "drums",
  },
  { words: "ベースライン 베이스라인", leaning: 3, role: "bass" },
  { words: "ベース 베이스 贝斯 貝斯 бас basso baixo", leaning: 0, role: "bass" },
  {
    words: "リフ アルペジオ メロディ メロディー 리프 멜로디 旋律 мелодия арпеджио",
    leaning: 3,
    role: "melodic",
  },
  {
    words:
      "ピアノ ギター シンセ パッド オルガン エレピ ストリングス リード プラック キーボード コード 피아노 기타 신스 패드 " +
      "钢琴 鋼琴 吉他 合成器 пианино гитара синт клавиши chitarra tastiera gitara teclado",
    leaning: 0,
    role: "melodic",
  },
  {
    words: "ボーカル ヴォーカル コーラス 歌 声 보컬 코러스 人声 人聲 вокал голос wokal voce",
    leaning: 0,
    role: "vocal",
  },
  { words: "アカペラ 아카펠라", leaning: 2, role: "vocal" },
  { words: "環境音 アンビエント テクスチャ 环境音 атмосфера", leaning: 0, role: "texture" },
  { words: "効果音 エフェクト 효과음 音效 эффект", leaning: -2.5, role: "fx" },
  { words: "ライザー インパクト 라이저", leaning: -4, role: "fx", isGesture: true },
];

/** All words with their meanings. */
export const SOUND_WORDS: ReadonlyMap<string, WordMeaning> = new Map(
  [...GROUPS, ...OTHER_LANGUAGES].flatMap(({ words, ...meaning }) =>
    words.split(" ").map((word) => [withoutAccents(word), meaning]),
  ),
);

/** The slowest and the fastest usual tempo of a style, in BPM. */
export type TempoRange = readonly [slowest: number, fastest: number];

const STYLES: readonly (readonly [words: string, slowest: number, fastest: number])[] = [
  ["dnb drumfunk neuro neurofunk jumpup liquid steppers rollers roller techstep", 160, 185],
  ["jungle", 150, 180],
  ["house deephouse techhouse progressive minimal disco frenchhouse afrohouse slaphouse", 110, 132],
  ["techno hardtechno acid rave", 120, 155],
  ["trance psytrance psy", 128, 150],
  ["garage ukg twostep speedgarage", 124, 140],
  ["dubstep riddim grime drill", 136, 150],
  ["trap phonk", 120, 170],
  ["hiphop boombap lofi chillhop triphop downtempo rnb soul neosoul", 65, 112],
  ["reggaeton dembow dancehall cumbia", 80, 112],
  ["moombahton", 100, 115],
  ["footwork juke", 150, 170],
  ["hardstyle", 145, 160],
  ["hardcore gabber", 155, 220],
  ["funk", 90, 125],
  ["amapiano", 105, 118],
  ["afrobeat afrobeats", 95, 125],
  ["jerseyclub", 130, 145],
  ["bigroom edm eurodance electro", 120, 140],
  ["futurebass", 130, 170],
  ["dub reggae onedrop ambient", 60, 95],
  ["kuduro", 125, 145],
];

/** Styles that names mention, by word; phrases as `simplify` writes them. */
export const GENRES: ReadonlyMap<string, TempoRange> = new Map(
  STYLES.flatMap(([words, slowest, fastest]) =>
    words.split(" ").map((word): [string, TempoRange] => [word, [slowest, fastest]]),
  ),
);
