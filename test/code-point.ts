import fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Generates the strings of one code point that fast-check's unit `binary` does. The unit first makes a map of a million
 * of them, which takes a second.
 */
export const codePoint = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (text) => {
    const code = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
    if (code < 0 || text !== String.fromCodePoint(code)) throw new Error("This is not one code point");
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
