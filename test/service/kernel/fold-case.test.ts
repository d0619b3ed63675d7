import { describe, expect, it } from "vitest";
import { foldCase } from "../../../src/service/kernel/fold-case.ts";

describe("letter case", () => {
  it.each([
    ["über", "Überprüfung"],
    ["ÜBER", "überprüfung"],
    ["strasse", "Straße"],
    ["STRAẞE", "strasse 7"],
    ["οδος", "ΟΔΟΣ"],
    ["ΟΔΟΣ", "οδος"],
    ["проверка", "Код-ПРОВЕРКА"],
    ["u\u0308ber", "ÜBER"],
    ["İstanbul", "i\u0307stanbul"],
  ])("does not prevent '%s' from being found in '%s'", (part, whole) => {
    expect(foldCase(whole)).toContain(foldCase(part));
  });

  it.each([
    ["uber", "Überprüfung"],
    ["%", "ab"],
    ["a_c", "abc"],
  ])("is the only difference that is ignored: '%s' is not in '%s'", (part, whole) => {
    expect(foldCase(whole)).not.toContain(foldCase(part));
  });

  it("is ignored between a letter and its other cases, in any script", () => {
    const apart: string[] = [];
    // No letters with cases beyond this.
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldCase(letter);
      if (foldCase(letter.toLowerCase()) !== folded || foldCase(letter.toUpperCase()) !== folded)
        apart.push(letter);
      else if (foldCase(folded) !== folded) apart.push(letter);
    }
    expect(apart).toEqual([]);
  });
});
