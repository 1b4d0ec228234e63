/** What was typed into a form's field of this name, without spaces around it; empty where there is no such field. */
export function typedText(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name);
  return typeof typed === "string" ? typed.trim() : "";
}
