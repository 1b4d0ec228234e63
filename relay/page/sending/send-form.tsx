import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { MAX_TITLE_LENGTH } from "../../../core/limits.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatBytes } from "../../../core/page/format-bytes.ts";
import { focusSoon } from "../parts/focus-soon.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { AddSounds } from "../sounds/add-sounds.tsx";
import { NumberInput } from "../sounds/number-input.tsx";
import { BPM, numberOf } from "../sounds/read-number.ts";
import { RefusedFiles } from "../sounds/refused-files.tsx";
import { SoundRow } from "../sounds/sound-row.tsx";
import { firstWrongField } from "./draft-of.ts";
import { SendingCard } from "./sending-card.tsx";
import { Refused } from "../../../web/refused.tsx";

/** The form that describes a package and sends it. */
export function SendForm({ view }: { readonly view: PageView }): VNode {
  const { sounds, refused, sending } = view;
  if (sending !== null) return <SendingCard sending={sending} />;
  const packageBpm = numberOf(view.bpm, BPM);
  return (
    <section class="card" aria-labelledby="package">
      <h2 id="package">Sounds</h2>
      <AddSounds reading={view.reading} />
      <RefusedFiles files={refused} />
      {sounds.length > 0 && (
        <>
          <PackageFields view={view} />
          <ul class="sounds">
            {sounds.map((sound, index) => (
              <SoundRow
                key={sound.key}
                sound={sound}
                position={index + 1}
                packageBpm={packageBpm}
              />
            ))}
          </ul>
          <SendBar view={view} />
        </>
      )}
    </section>
  );
}

function PackageFields({ view }: { readonly view: PageView }): VNode {
  const { sounds } = usePage();
  const titleId = useId();
  return (
    <div class="fields package">
      <div class="labelled wide">
        <label for={titleId}>Scene title</label>
        <input
          id={titleId}
          value={view.title}
          maxLength={2 * MAX_TITLE_LENGTH}
          placeholder="Untitled"
          autocomplete="off"
          onInput={(event) => sounds.nameTitle(event.currentTarget.value)}
        />
      </div>
      <NumberInput
        name="package.bpm"
        label="Tempo of the loops, BPM"
        field={BPM}
        typed={view.bpm}
        onType={(bpm) => sounds.setTempo(bpm)}
      />
    </div>
  );
}

function SendBar({ view }: { readonly view: PageView }): VNode {
  const { sending, pairing } = usePage();
  const { computers, sounds, sendError, reading } = view;
  const target = computers?.[0];
  const bytes = sounds.reduce((sum, { source }) => sum + source.size, 0);
  const send = (): void => {
    const wrong = firstWrongField(view);
    if (wrong !== null) document.getElementsByName(wrong)[0]?.focus();
    else if (target === undefined) pairing.ask(view.code ?? "");
    else if (reading === 0) void sending.send(target).then(() => focusSoon("send"));
  };
  return (
    <div class="send">
      <p class="quiet">
        {countOf(sounds.length, "sound")}, {formatBytes(bytes)}
        {target === undefined && ". Pair with a computer first."}
      </p>
      <button
        type="button"
        class="primary"
        id="send"
        aria-disabled={target === undefined || reading > 0}
        onClick={send}
      >
        Send{target !== undefined && ` to ${target.name}`}
      </button>
      <Refused error={sendError} />
    </div>
  );
}
