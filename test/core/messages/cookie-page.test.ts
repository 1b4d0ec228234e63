import { expect, test } from "vitest";
import { cookiePage } from "../../../core/messages/cookie-page.ts";
import { LANGUAGES } from "../../../core/messages/languages.ts";

const page = (...headers: readonly string[]) =>
  cookiePage(["GET / HTTP/1.1", "Host: localhost:4700", ...headers, "Cookie: a=b"].join("\r\n"));

test.each(LANGUAGES)("[E7] the page for too many cookies is written in %s", (language) => {
  const text = page("Accept: text/html", `Accept-Language: ${language}-XX;q=0.9, en`) ?? "";
  expect(text).toContain(`<html lang="${language}">`);
  expect(text.match(/localhost/g)).toHaveLength(2);
  expect(text.match(/<p>/g)).toHaveLength(2);
  expect(text).not.toMatch(/[{}]host|:4700/);
});

test("[E7] each language has words of its own", () => {
  const titles = LANGUAGES.map((language) => {
    const text = page("accept:text/html,*/*", `accept-language: ${language}`);
    return /<h1>(.+)<\/h1>/.exec(text ?? "")?.[1];
  });
  expect(new Set(titles).size).toBe(LANGUAGES.length);
});

test("[E7] English is for a browser that prefers no language, and a program gets no page", () => {
  expect(page("Accept: text/html")).toContain('<html lang="en">');
  expect(page("Accept: */*", "X-Accept: text/html")).toBeUndefined();
  expect(page()).toBeUndefined();
  expect(cookiePage("c=d; the rest of a cookie")).toBeUndefined();
});
