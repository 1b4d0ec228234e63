import { formatRecording } from "../../../core/guess/guess-sounds.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { SoundGroup } from "../../send/session/guess-list.ts";
import type { SessionSounds } from "../../send/session/session-sounds.ts";
import { BPM, isWrong } from "../../send/session/typed-numbers.ts";
import { button, h, setText } from "../dom.ts";

/** A recording among the sounds: how its files play, all as recorded or all in time at one tempo (rule G19). */
export function groupBar(t: Translate, sounds: SessionSounds, first: SoundGroup) {
  let group = first;
  const id = `group-${first.members[0]}`;
  const sentence = h("p", { id });
  const asRecorded = button(t("page.asRecorded"), () => sounds.playInTime(group, false));
  const inTime = button(t("page.inTimeAt"), () => {
    if (group.knownBpm === null) bpm.focus();
    else sounds.playInTime(group, true);
  });
  const separate = button(t("page.separate"), () => sounds.separate(group), { class: "plain" });
  const bpm = h("input", {
    part: "field",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: t("send.bpm"),
    "aria-label": `${t("send.bpm")}: ${first.title}`,
    oninput: () => {
      sounds.setGroupTempo(group, bpm.value);
      bpm.setAttribute("aria-invalid", String(isWrong(bpm.value, BPM)));
    },
    onblur: () => show(group),
  });
  const node = h(
    "div",
    { part: "group", class: "sunk stack tight", role: "group", "aria-labelledby": id },
    sentence,
    h("div", { class: "line wrap bpm" }, asRecorded, inTime, bpm, separate),
  );
  const show = (changed: SoundGroup): void => {
    group = changed;
    const { bpm: playedBpm, knownBpm } = group;
    setText(sentence, formatRecording(t, group));
    asRecorded.setAttribute("aria-pressed", String(playedBpm === null));
    inTime.setAttribute("aria-pressed", String(playedBpm !== null));
    // A number that is being typed stays until it is a tempo.
    if (bpm.matches(":focus")) return;
    bpm.value = knownBpm === null ? "" : formatNumber(knownBpm, 6);
    bpm.setAttribute("aria-invalid", "false");
  };
  return { node, show };
}
