/** Returns a form field's trimmed text; empty where there is no such field. */
export function typedText(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name);
  return typeof typed === "string" ? typed.trim() : "";
}
