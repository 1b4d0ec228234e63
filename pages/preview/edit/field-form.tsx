import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { ManifestFields } from "../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-store.ts";
import { FieldInput } from "./field-input.tsx";
import { type FieldForm as Form, readField, sharedValue } from "./field-values.ts";
import type { SceneEdit } from "./manifest-editor.ts";

interface FieldFormProps {
  readonly label: string;
  readonly forms: readonly Form[];
  /** The values of each edited thing. */
  readonly values: readonly ManifestFields[];
  /** The reason why nothing can be edited; null if it can. */
  readonly fixedBecause: string | null;
  /** Checks whether a field can't be edited. */
  readonly isFixed: (form: Form) => boolean;
  readonly planEdit: (field: string, value: unknown) => readonly SceneEdit[];
}

/** Fields of the manifest. Each is written back when the focus leaves it (rule V16). */
export function FieldForm(props: FieldFormProps): VNode {
  const { label, forms, values, fixedBecause, isFixed, planEdit } = props;
  const { editor } = usePreview();
  const [refused, setRefused] = useState<{ readonly name: string; readonly why: string } | null>(
    null,
  );
  const write = async (form: Form, typed: string): Promise<boolean> => {
    setRefused(null);
    try {
      await editor.edit(planEdit(form.name, readField(form, typed)));
      return true;
    } catch (error) {
      setRefused({ name: form.name, why: sentenceOf(error) });
      return false;
    }
  };
  return (
    <div class="fields" role="group" aria-label={`${label}: fields of the manifest`}>
      {/* The note keeps its room, so that no field moves. */}
      <p class="field-note" role="status" id={`${label}-note`}>
        {fixedBecause ?? refused?.why ?? ""}
      </p>
      <div class="field-grid">
        {forms.map((form) => (
          <FieldInput
            key={form.name}
            form={form}
            shared={sharedValue(values, form)}
            isFixed={fixedBecause !== null || isFixed(form)}
            isRefused={refused?.name === form.name}
            noteId={`${label}-note`}
            onWrite={(typed) => write(form, typed)}
          />
        ))}
      </div>
    </div>
  );
}
