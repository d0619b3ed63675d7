import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { log } from "../../../src/github/step/log.ts";
import { cut, markdown, neutralize } from "../../../src/github/step/neutral.ts";
import { commandsIn, printedBy } from "../printed.ts";

/** Texts of characters special to commands, terminals and Markdown. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ..."::##[]\n\r\t \u001b\u009b\u0000\u0007\u0085\u00a0\u2028\u202e\u2066\ufeff|`<>*_$&;(){}@!",
    ),
    fc.constantFrom(
      "::error::",
      "##[group]",
      "\u001b[31m",
      "\u001b[2J",
      "::stop-commands::x",
      "https://",
      "a",
    ),
  ),
  maxLength: 30,
});

test.each([
  ["::error::x", ": :error::x"],
  ["a\n::add-mask::a", "a\n: :add-mask::a"],
  ["a\r::add-mask::a", "a\n: :add-mask::a"],
  ["a\r\n::add-mask::a", "a\n: :add-mask::a"],
  ["  \t::stop-commands::tok", "  \t: :stop-commands::tok"],
  ["\u00a0\u3000::error::x", "\u00a0\u3000: :error::x"],
  ["\u001b[31m::error::x\u001b[0m", ": :error::x"],
  ["done ##[set-output name=a]b", "done ## [set-output name=a]b"],
  ["#\u001b[0m#[group]x", "## [group]x"],
  ["a::b is not a command", "a::b is not a command"],
  ["C:\\x and std::vector", "C:\\x and std::vector"],
  ["tab\tstays\nand lines", "tab\tstays\nand lines"],
  ["bell\u0007 nul\u0000 del\u007f csi\u009b31m", "bell\ufffd nul\ufffd del\ufffd csi\ufffd31m"],
  ["user\u202egnp.exe\u2066", "user\ufffdgnp.exe\ufffd"],
])("%j is printed as %j", (text, printed) => {
  expect(neutralize(text)).toBe(printed);
});

test("no text can command the runner or the terminal", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const safe = neutralize(text);
      expect(commandsIn(safe)).toEqual([]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone.
      expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 500 },
  );
});

describe("the log", () => {
  test("prints only its own commands, whatever the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(commandsIn(printedBy(() => log.info(text)))).toEqual([]);
        for (const level of ["warning", "error", "debug"] as const) {
          const printed = printedBy(() => log[level](text));
          expect(commandsIn(printed)).toHaveLength(1);
          expect(printed).toMatch(new RegExp(`^::${level}::[^\\r\\n]*\\r?\\n$`));
        }
        const commands = commandsIn(printedBy(() => log.group(text, text)));
        expect(commands.map((line) => line.split("::")[1])).toEqual(["group", "endgroup"]);
      }),
      { numRuns: 100 },
    );
  });

  test("truncates an annotation to what the runner shows", () => {
    const printed = printedBy(() => log.error("x".repeat(1_000_000)));
    expect(printed).toMatch(/^::error::x+…\r?\n$/);
    expect(printed.trimEnd().length).toBe("::error::".length + 4096);
  });

  test("gives an annotation its title", () => {
    expect(printedBy(() => log.error("text", "a: title, of two"))).toMatch(
      /^::error title=a%3A title%2C of two::text\r?\n$/,
    );
  });
});

test("a text is truncated only when it is too long", () => {
  expect(cut("abcd", 4)).toBe("abcd");
  expect(cut("abcde", 4)).toBe("abc…");
});

describe("text in Markdown", () => {
  test("renders literally", () => {
    expect(decoded(markdown("a | b <b>c</b> `d` *e* $f$ &amp; [g](h) \\ @i #1"))).toBe(
      "a | b <b>c</b> `d` *e* $f$ &amp; [g](h) \\ @i #1",
    );
  });

  test.each([
    ["see www.evil.example/login", "see www&#46;evil.example/login"],
    ["WWW.evil.example", "WWW&#46;evil.example"],
    ["write to a@evil.example", "write to a&#64;<wbr>evil.example"],
    ["http://evil.example", "http&#58;//evil.example"],
  ])("does not link %s", (text, written) => {
    expect(markdown(text)).toBe(written);
    expect(decoded(markdown(text))).toBe(text);
  });

  test("contains nothing that could end its cell or begin a tag, whatever the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = markdown(text);
        expect(cell.replaceAll("<wbr>", "")).not.toMatch(/[|<>`*_~[\]\n\r\\$@]/);
        expect(cell.replace(/&#\d+;/g, "")).not.toMatch(/[&#]/);
        expect(decoded(cell)).toBe(neutralize(text).replace(/\s*\n\s*/g, " "));
      }),
      { numRuns: 500 },
    );
  });
});

function decoded(cell: string): string {
  return cell
    .replaceAll("<wbr>", "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

test.each(["\n", " ", "\u2028", ":", "\u001b[", " \n", "\t\r"])(
  "takes little time for a long text of %j",
  (unit) => {
    const text = unit.repeat(200_000 / unit.length);
    const before = process.cpuUsage();
    for (const each of [text, `a${text}a`]) {
      neutralize(each);
      markdown(each);
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  },
);
