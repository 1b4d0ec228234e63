import { withoutAccents } from "../text/fold-case.ts";
import { SOUND_WORDS } from "./sound-words.ts";

const WORDS = {
  /** Instruments, voices and groups of them, beside those of `SOUND_WORDS`. */
  stem:
    "kik snr oh ohs overhead overheads cym cyms hat drm drms rack floor 808 contrabass upright doublebass " +
    "gt gits dr ba cho vc pf acoustic acgtr agtr egtr elec electric elgtr nylon slide lapsteel pedalsteel dobro uke rhythm solo hammond b3 leslie mellotron " +
    "pno upr keyboards keyboard tpt tbn sop soprano alto tenor bari woodwinds winds section violins vln vlns vla vlas vc vcs cb celli orch orchestral perx tambo cowb " +
    "vx ldv ldvox lv bv bvs bgv bgvs bgvox backing backings background backgrounds harm harms harmony harmonies gang talkback " +
    "audience crowd click guide cue speech narrator host guest vo voiceover dialog dialogue " +
    "instrumental instrumentals inst instru acapellas accompaniment other others residual music mus " +
    "fx sfx efx effects riser risers impact impacts sweep sweeps atmos atmosphere texture textures vinyl crackle drone drones noise " +
    "saw wobble growl donk sequencer sampler " +
    "schlagzeug gitarren egitarre leadgesang blaser chore geige trommeln gitaar zang toetsen trummor gitarr sang tangenter trommer " +
    "basse guitares choeur choeurs clavier claviers cuivres percussions drummer drummers " +
    "guitarras voces coros coro teclado teclados metales palmas basso chitarra chitarre voce voci cori tastiere fiati archi percussioni " +
    "baixo violao vocais percussao sopros perkusja gitara gitary wokal wokale klawisze chorki bici kytara baskytara zpev klavesy davul vokal klavye " +
    "барабаны ударные барабан бас гитара гитары вокал голос клавиши синт синтезатор фортепиано пианино струнные бэк бэки " +
    "бочка малый перкуссия хор духовые скрипка тарелки эффекты орган",
  /** Sides, places, treatments and sections, and words that only describe. */
  detail:
    "l r c m s lr left right center mid side mono stereo in out inside outside top tops btm bottom bot under up down dn " +
    "upper lower low lo hi high dry wet verb reverb rev vrb delay dly echo slap plate spring hall room rooms rm amb " +
    "bus buss sum grp group groups sub subs para parallel dbl dbls dub dubs dubl double doubles doubled dt quad alt " +
    "tuned tune proc processed raw clean dirty dist distorted fuzz crunch od di dis dry amp amps cab mic mics close near far front rear back " +
    "sm u md km spot spots decca tree outriggers outrigger ab ortf overdub intro verse chorus bridge outro hook prechorus pre part parts layer layers trigger trig sample samples gated " +
    "comp comped compressed eq print printed prn cm commit freeze frozen glued reamp reamped edit edited " +
    "lead leads ld rhy swell swells swing fill fills end big small links rechts gauche droite izq der sl sr and und et y n",
  /** Tries of the same part. */
  take: "take takes tk comp comped playlist dbl double doubles layer layers aufnahme prise toma дубль テイク",
  /** Inputs of a recorder and tracks of a program, with a number. */
  channel:
    "tr trk track ch chn chan channel audio input insert group return mic kanal spur piste pista canal トラック",
  /** Additions of programs and people to any name. */
  noise:
    "stem stems multitrack multitracks multi multis track tracks trk audio bip bnc bounce bounces bounced render renders rendered " +
    "export exports exported wav wave wavs aif aiff flac mp3 file files split by lalalai lalal moises htdemucs demucs mdx ft spleeter uvr separated " +
    "output bpm tempo khz hz bit consolidated spuren einzelspuren pistes pistas project projekt recorded recordings " +
    "дорожки стемы パラデータ ステム",
  /** The whole song in one of its versions. */
  version:
    "master masters mastered mastering mix mixes mixed mixdown final finals main clean explicit original orig full fullmix ref reference rough demo " +
    "loud dynamic streaming spotify edit performance cd ver v ミックス マスター мастер микс",
  /** Versions and series, whatever instrument a name also has: a piano version is no stem, and neither is a lesson. */
  always:
    "version versions remix remixes rmx bootleg vip cover radio extended karaoke tv type remaster remastered lufs " +
    "lesson lessons lecture lectures show shows tutorial course episode episodes chapter level levels theme themes question answer podcast interview interviews jingle jingles lektion folge kapitel leccion lecon",
  /** The song without something. */
  minus: "no without minus ohne sans sin senza less",
  /** Marks of a collection of sounds. */
  pack:
    "loop loops sample samples pack packs kit kits construction vol volume library libraries preset presets preview previews oneshot shots hits " +
    "sfx foley ambience ambiences ambient ambiances soundscapes textures drones effects tone tones test impulse responses irs bundle bank sounds breaks",
  /** Words that are no title alone at the end of a name: `Bass Song`. */
  song: "song songs tune tunes lied lieder chanson chansons cancion canciones",
} as const;

const keysOf = (words: string): readonly string[] => words.split(" ").map(wordKey);

const SETS = new Map(
  Object.entries(WORDS).map(([meaning, words]): [string, ReadonlySet<string>] => [
    meaning,
    new Set(keysOf(words)),
  ]),
);

const FILLS = new Set("fill fills drumfill fillin".split(" "));
const OF_SONGS = new Set<string | undefined>(["drums", "bass", "melodic", "vocal"]);
const STEMS: ReadonlySet<string> = new Set([
  ...keysOf(WORDS.stem),
  ...[...SOUND_WORDS].flatMap(([word, { role, isExplicit, isGesture, isBreak }]) => {
    const isOther = [isExplicit, isGesture, isBreak, FILLS.has(word)].includes(true);
    return OF_SONGS.has(role) && !isOther ? [wordKey(word)] : [];
  }),
]);

/** Words of languages without spaces: any name that contains one says so. */
const UNSPACED = new RegExp(
  keysOf(
    "ドラム ベース ギター ボーカル ヴォーカル キーボード ピアノ シンセ コーラス ストリングス ブラス キック スネア ハイハット パーカッション " +
      "オルガン パッド アルペジオ ハモリ 歌 伴奏 その他 鼓 贝斯 貝斯 吉他 人声 钢琴 鋼琴 合成器 和声 弦乐 드럼 베이스 기타 보컬 피아노 신스 코러스 킥 스네어 건반",
  ).join("|"),
);

/** Returns a word as it is compared: in lower case, without accents. */
export function wordKey(word: string): string {
  return withoutAccents(word).toLowerCase();
}

/** The meanings that a word can have in the name of a song's stem, or of what only looks like one. */
type Meaning = keyof typeof WORDS;

/** Checks whether a word, as `wordKey` returns it, has a meaning; a number is a detail. */
export function means(key: string, meaning: Meaning): boolean {
  if (meaning === "stem") return isStem(key);
  return (SETS.get(meaning)?.has(key) ?? false) || (meaning === "detail" && isNumber(key));
}

/** Checks for an instrument or a voice, also in a compound such as `leadvox` or `kickin`. */
function isStem(key: string): boolean {
  if (STEMS.has(key) || UNSPACED.test(key)) return true;
  if (key.length > 3 && key.endsWith("s") && STEMS.has(key.slice(0, -1))) return true;
  for (let at = 1; at < key.length; at += 1) {
    const [head, tail] = [key.slice(0, at), key.slice(at)];
    const isTailStem = tail.length > 2 && STEMS.has(tail);
    const isHeadStem = head.length > 2 && STEMS.has(head);
    if (isHeadStem && (isTailStem || means(tail, "detail"))) return true;
    if (isTailStem && at > 1 && means(head, "detail")) return true;
  }
  return false;
}

/** Checks for digits alone. */
export function isNumber(key: string): boolean {
  return /^\d+$/.test(key);
}
