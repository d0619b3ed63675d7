/**
 * Numbers that a JavaScript number may not hold, or that are written in another way: many digits, an exponent, minus
 * zero. Digests in strings are not meant.
 */
const RISKY = /[\s:,[]-?(\d[\d.]{15}|[\d.]+[eE])|[\s:,[]-0(?:\.0*)?(?![\d.])/;

/**
 * Parses JSON without losing digits: a number that would come out changed is kept as its text, and written as
 * that text again by `JSON.stringify`.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it is used only where it may matter.
  return RISKY.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && isChanged(value, source)
    ? JSON.rawJSON(source)
    : value;
}

/** `1.50` and `1.5` are the same number; `9007199254740993` and what it is parsed to are not. */
function isChanged(value: number, source: string): boolean {
  if (Object.is(value, -0)) return true;
  return !Number.isFinite(value) || significantDigits(String(value)) !== significantDigits(source);
}

function significantDigits(number: string): string {
  const [mantissa = ""] = number.toLowerCase().split("e");
  return mantissa.replace(/[-.]/g, "").replace(/^0+|0+$/g, "");
}
