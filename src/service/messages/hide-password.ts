/** A text without a password, in whatever encoding the text repeats it. */
export function hidePassword(text: string, { user, pass }: { user: string; pass: string }): string {
  const forms = [
    ...base64Forms(Buffer.from(`\0${user}\0${pass}`)),
    ...base64Forms(Buffer.from(pass)),
    hexForm(pass),
    escapedForm(pass),
  ];
  return forms.reduce((shown, form) => shown.replace(new RegExp(form, "gu"), "***"), text);
}

/**
 * Patterns of the characters that bytes have in base64 wherever they begin in the encoded text. Those that depend on the
 * bytes around them are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = text.slice(first, end);
    if (inner === "") return [];
    const last = offset === 0 ? "" : "[\\w+/-]?";
    return [`${last}${inner.replace(/[+/]/g, (sign) => (sign === "+" ? "[+-]" : "[/_]"))}[\\w+/-]?=*`];
  });
}

function hexForm(pass: string): string {
  return hexDigits(Buffer.from(pass)).join("[ :]?");
}

/** A pattern of a text of which each character may be escaped: `p%40ss`, `p=40ss`, `p\x40ss`, `p&#64;ss`. */
function escapedForm(pass: string): string {
  return [...pass]
    .map((character) => {
      const bytes = hexDigits(Buffer.from(character));
      const code = character.codePointAt(0) ?? 0;
      const named = NAMED[character];
      return `(?:${[
        `\\u{${code.toString(16)}}`,
        ...["%", "=", "\\\\x"].map((sign) => bytes.map((byte) => sign + byte).join("")),
        `\\\\u0*${anyCase(code.toString(16))}`,
        `&#0*${code};`,
        `&#[xX]0*${anyCase(code.toString(16))};`,
        ...(named === undefined ? [] : [named]),
      ].join("|")})`;
    })
    .join("");
}

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': '(?:&quot;|\\\\")',
  "'": "&apos;",
  "\\": "\\\\\\\\",
  " ": "\\+",
};

function hexDigits(bytes: Buffer): string[] {
  return [...bytes].map((byte) => anyCase(byte.toString(16).padStart(2, "0")));
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
