import type { LIVE_SET_FILE as ENGLISH } from "../en/live-set.ts";
import type { Translated } from "../message.ts";

export const LIVE_SET_FILE: Translated<typeof ENGLISH> = {
  "format.host-live-set": "Live セットのファイル",
};

/** A part of the sentences of imports. */
export const LIVE_SET_RUN = {
  "run.SET_UNTRIED":
    "Live セットのファイルに入っています。実験的な機能で、実際の Live ではまだ開かれていません。",
  "run.SET_TEMPO_ASSUMED":
    "セットのファイルではテンポを推測に任せられません。クリップはセットのテンポになります。",
  "run.SET_FILLED":
    "セットのファイルではテンポを推測に任せられません。ファイルは {beats}に収まるようワープされます。",
  "run.SET_METER_UNKNOWN": "Live には拍子 {meter} がないため、セットは 4/4 です。",
  "run.SET_INT_32":
    "{file} は 32 ビット整数のため、Live では読み込めません。24 ビットで書き出してください。",
  "run.SET_TOO_LARGE": "1 つのセットにはパッケージが多すぎます。数を減らして書き出してください。",
  "run.TEMPLATE_UNREADABLE": "テンプレートを読み取れません。",
  "run.TEMPLATE_NOT_A_SET": "テンプレートは Live セットではありません。",
  "run.TEMPLATE_OLD": "テンプレートは古い Live のものです。Live 11 以降で保存してください。",
  "run.TEMPLATE_BARE":
    "テンプレートには、スロットにサウンドが入ったオーディオトラックが必要です。追加して保存してください。",
  "run.TEMPLATE_TIED":
    "テンプレートのマスターにあるデバイスがトラックを使っています。取り除いてセットを保存してください。",
  "run.TEMPLATE_FAULTY": "テンプレートは Live が保存するセットの形になっていません（{path}）。",
  "run.TEMPLATE_LACKS": "テンプレートの {element} に {member} がありません。",
  "run.NOT_IN_SET_FILE": "セットのファイルに {name} がありません。",
} as const;
