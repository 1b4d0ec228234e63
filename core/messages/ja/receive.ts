import type { RECEIVE as ENGLISH } from "../en/receive.ts";
import type { Translated } from "../message.ts";

export const RECEIVE: Translated<typeof ENGLISH> = {
  "receive.title": "このブラウザーでサウンドを受け取る",
  "receive.what":
    "アプリは、コンピューターと同じようにこのブラウザーへ送れます。送られたものはリレーで待ち、フォルダーか ZIP に読み込めます。",
  "receive.name": "このブラウザーの名前",
  "receive.name-hint": "アプリの送信先に表示されます。",
  "receive.key": "登録キー",
  "receive.key-hint":
    "このリレーは、キーがあるコンピューターだけを登録します。キーは管理している人に聞いてください。",
  "receive.begin": "受け取る",
  "receive.beginning": "登録しています…",
  "receive.insecure":
    "http のアドレスでは、リレーと同じコンピューターのブラウザーでしか受け取れません。このページを https で開いてください。",
  "receive.unable":
    "このブラウザーは、このページのファイルを保存できません。別のブラウザーか、プライベートでないウインドウを使ってください。",
  "receive.send-instead": "サウンドを送る",

  "receive.elsewhere-title": "別のタブが受け取っています",
  "receive.elsewhere": "1 つのブラウザーで受け取れるのは、一度に 1 つのタブだけです。",
  "receive.here": "代わりにここで受け取る",
  "receive.looking": "お待ちください…",

  "receive.where-title": "読み込み先を選んでください",
  "receive.where-what":
    "各パッケージは、WAV のサウンドと DAWproject ファイルになります。自分のフォルダーに入れるか、ブラウザーが 1 つの ZIP として保存します。",
  "receive.where-once": "聞くのは一度だけです。設定で変更できます。",
  "receive.choose-folder": "フォルダーを選ぶ",
  "receive.folder-tip": "ヒント：Live の User Library → Samples を選びます。",
  "receive.save-zip": "ZIP で保存",
  "receive.no-folders":
    "このブラウザーはフォルダーに書き込めません。コンピューターの Chrome と Edge なら書き込めます。",
  "receive.saves-into": "{folder} に保存",
  "receive.saves-zip": "ZIP で保存",
  "receive.not-chosen": "何も読み込まれませんでした。先に読み込み先を選んでください。",

  "receive.place": "読み込み先",
  "receive.into-folder": "フォルダー {folder} に保存されます。",
  "receive.into-zip": "パッケージごとに 1 つの ZIP で保存されます。",
  "receive.undecided": "最初の読み込みのときに選びます。",
  "receive.asks-again":
    "このページを閉じたあとは、次の読み込みのときに、ブラウザーがフォルダーの許可をもう一度求めます。",
  "receive.live-set": "Live セットも書き出す（試験的）",
  "receive.live-set-hint": "実際の Live ではまだ開かれていません。",
  "receive.forget-title": "このブラウザー",
  "receive.forget-what": "ここで受け取るのをやめるには、このブラウザーを忘れさせます。",
  "receive.forget": "このブラウザーを忘れる",
  "receive.forget-question":
    "リレーは、このブラウザーを待つパッケージを削除し、アプリのペアリングを解除します。ブラウザーは、リレーへのアクセスを消します。読み込んだファイルは残ります。",
  "receive.forget-keep": "残す",
  "receive.forget-here": "ここでだけ忘れる",
  "receive.forget-here-what":
    "ここでだけ忘れることもできます。その場合、パッケージは期限までリレーに残ります。",

  "receive.zip-again": "ZIP をもう一度保存",
  "receive.zip-again-title": "ZIP をもう一度保存：{title}",
  "receive.relay-fixed": "このページは、配信元のリレーから受け取ります。",
};
