import type { Translated } from "../message.ts";
import type { GUESSES as ENGLISH } from "../en/guesses.ts";

/** In Japanese. */
export const GUESSES: Translated<typeof ENGLISH> = {
  "guess.word_loop": "名前の「{text}」はループを示しています。",
  "guess.word_oneshot": "名前の「{text}」はワンショットを示しています。",
  "guess.folder_loop": "フォルダーがループを示しています。",
  "guess.folder_oneshot": "フォルダーがワンショットを示しています。",
  "guess.short": "ループには短すぎます。",
  "guess.note": "単音または和音の名前です。",
  "guess.chunk": "ファイルにワンショットと書かれています。",
  "guess.no_tempo": "長さがどのテンポにも合いません。",
  "guess.nothing": "名前からも長さからもループかどうか分かりません。",
  "guess.tempo_unknown": "テンポが分かりません。",
  "guess.in_name": "名前に「{text}」。{count} 拍で長さに合います。",
  "guess.in_name_tail": "名前に「{text}」。{count} 拍で、残りは余韻です。",
  "guess.near_name": "名前の「{text}」に近く、{count} 拍でファイルが埋まります。",
  "guess.in_folder": "フォルダー名に「{text}」。{count} 拍で長さに合います。",
  "guess.in_folder_tail": "フォルダー名に「{text}」。{count} 拍で、残りは余韻です。",
  "guess.near_folder": "フォルダー名の「{text}」に近く、{count} 拍でファイルが埋まります。",
  "guess.package": "パッケージのテンポで {count} 拍が長さに合います。",
  "guess.count": "名前に {count} 拍とあります。",
  "guess.acid": "ファイルに {count} 拍とあり（ACID）、長さも一致します。",
  "guess.length": "長さがちょうど {count} 拍に合います。",
  "guess.region": "ファイルに {count} 拍のループ範囲が記されています。",
  "guess.smpl": "ファイル全体が 1 つのループで、おそらく {count} 拍です。",
  "guess.likely": "長さから見て、おそらく {count} 拍です。",
};
