import { formatCountdown } from "../../../core/text/format-span.ts";
import { SOUND_FILES } from "../../audio/sound-files.ts";
import { button, draw, h, icon, ICONS, setText } from "../dom.ts";
import { type Section, type SectionDeps, shownItems } from "./section.ts";

/** Adds files and recordings. */
export function addBar({ t, add, record: toggle, sources }: SectionDeps): Section {
  const files = h("input", {
    type: "file",
    multiple: true,
    hidden: true,
    accept: SOUND_FILES,
    "aria-label": t("page.chooseFiles"),
    onchange: () => {
      void add([...(files.files ?? [])].map((source) => ({ source })));
      // Allows choosing the same file again.
      files.value = "";
    },
  });
  const choose = button(t("page.chooseFiles"), () => files.click(), { id: "choose" });
  const shape = icon(ICONS.record);
  const recordText = h("span", {}, t("page.record"));
  const record = h(
    "button",
    {
      part: "button record",
      class: "record",
      type: "button",
      onclick: toggle,
    },
    shape,
    recordText,
  );
  const meter = h("meter", { min: 0, max: 1, low: 0.5, high: 0.98, "aria-label": t("page.level") });
  const hint = h("span", { class: "quiet drop" }, t("send.drop"));
  const node = h("div", { part: "add", class: "line wrap" }, files, choose, record, meter, hint);
  return {
    node,
    show: (view) => {
      const { computers, isPairing, sending, recording, reading } = view;
      const allowed = sources();
      const isReady = !isPairing && (computers ?? []).length > 0;
      show(node, isReady && shownItems(view).length === 0 && sending === null && allowed.size > 0);
      show(choose, allowed.has("files"));
      show(record, allowed.has("record"));
      record.setAttribute("aria-pressed", String(recording !== null));
      draw(shape, recording === null ? ICONS.record : ICONS.stop);
      setText(recordText, recording === null ? t("page.record") : timeOf(recording.seconds));
      show(meter, recording !== null);
      meter.value = recording?.level ?? 0;
      show(hint, recording === null && (reading > 0 || allowed.has("files")));
      setText(hint, reading > 0 ? t("page.reading", { count: reading }) : t("send.drop"));
    },
  };

  function timeOf(seconds: number | null): string {
    if (seconds === null) return t("page.stopRecording");
    return t("page.stopRecordingAt", { time: formatCountdown(seconds) });
  }
}

function show(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown;
}
