import type { RUN_RECEIVE as ENGLISH } from "../en/run-receive.ts";
import type { Translated } from "../message.ts";

export const RUN_RECEIVE: Translated<typeof ENGLISH> = {
  "run.RECEIVE_OWN_RELAY": "このページは自身のリレーからのみ受信します。",
  "run.RECEIVE_OTHER_RELAY":
    "現在、別のリレーが応答しています。このブラウザの情報はそのリレーに送られません。",
  "run.RECEIVE_UNKNOWN":
    "リレーはこのブラウザを認識していません。設定でこのブラウザの登録を解除してから、もう一度受信してください。",
  "run.RECEIVE_ELSEWHERE": "現在、このブラウザの別のタブが受信しています。",
  "run.RECEIVE_STORAGE":
    "ブラウザにこのページのデータを保存できません。プライベートウィンドウを使わないか、ディスクの空きを増やしてください。",
  "run.RECEIVE_NO_WORKER":
    "このブラウザではページからサウンドを保存できません。更新するか、別のブラウザを使ってください。",
  "run.RECEIVE_NO_ROOM":
    "ブラウザに {limit} のサウンドを保存する空きがありません。空きを増やして、もう一度インポートしてください。",
  "run.RECEIVE_NO_PLACE": "インポートの保存先として、フォルダーまたはZIPを選んでください。",
  "run.RECEIVE_FOLDER_CLOSED":
    "ブラウザは「{name}」に書き込めません。もう一度インポートして許可してください。",
  "run.RECEIVE_FOLDER_GONE":
    "フォルダー「{name}」が見つかりません。選び直すか、別のフォルダーを選んでください。",
  "run.RECEIVE_NOT_WRITTEN":
    "{file} をフォルダーに書き込めませんでした。ディスクを確認して、もう一度インポートしてください。",
  "run.RECEIVE_PLACE_WAITS": "インポート中です。終わってから保存先を変更してください。",
  "run.RECEIVE_NOT_FORGOTTEN": "リレーでこのブラウザの登録を解除できませんでした。{problem}",
  "run.RECEIVE_NOT_HERE": "この操作はブラウザではできません。",
};
