import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyValuePairs } from "../../scripts/composite/file-commands.ts";
import { Masks } from "../../scripts/composite/masks.ts";
import { StepLog } from "../../scripts/composite/step-log.ts";
import { readLines } from "../../scripts/composite/step-process.ts";

function logOf(lines: readonly string[], { debug = false } = {}): StepLog {
  const log = new StepLog(new Masks(), { debug });
  for (const line of lines) log.read(line);
  return log;
}

describe("workflow commands", () => {
  test("an error with properties is an annotation, and a line in the log", () => {
    const log = logOf(["  ::error title=A%3A b%2C c,file=src/x.ts,line=3::100%25 of%0Atwo: lines"]);

    expect(log.annotations).toEqual([
      {
        level: "error",
        message: "100% of\ntwo: lines",
        properties: { title: "A: b, c", file: "src/x.ts", line: "3" },
      },
    ]);
    expect(log.lines).toEqual(["Error: 100% of\ntwo: lines"]);
  });

  test("an escaped percent sign does not make a line break", () => {
    expect(logOf(["::notice::%250A"]).annotations[0]?.message).toBe("%0A");
  });

  test("the legacy form is executed anywhere in a line", () => {
    const log = logOf(["pod ##[warning file=a%3Bb;line=1]be %5Dwarned"]);

    expect(log.annotations).toEqual([
      { level: "warning", message: "be ]warned", properties: { file: "a;b", line: "1" } },
    ]);
  });

  test("text that only looks like a command is output", () => {
    const lines = ["a ::error::b", "::unknown::x", "::error", "##[command]ls", "##[error", "", "a::b::c"];

    expect(logOf(lines)).toMatchObject({ lines, annotations: [], commandFailed: false });
  });

  test("groups are titled, and debug is shown only on request", () => {
    const lines = ["::group::Files", "a", "::endgroup::", "::debug::inner"];

    expect(logOf(lines).lines).toEqual(["▼ Files", "a"]);
    expect(logOf([...lines, "after"]).page).toEqual(["▶ Files", "after"]);
    expect(logOf(lines, { debug: true }).lines).toEqual(["▼ Files", "a", "##[debug]inner"]);
  });

  test("between a stop and its token no command is executed", () => {
    const log = logOf([
      "::stop-commands::t-0k",
      "::error::no",
      "::stop-commands::other",
      "::T-0K::",
      "::error::yes",
      "::t-0k::",
    ]);

    expect(log.lines).toEqual([
      ...["::stop-commands::t-0k", "::error::no", "::stop-commands::other", "::T-0K::"],
      ...["Error: yes", "::t-0k::"],
    ]);
  });

  test.each(["", "error", "pause-logging"])("a stop with the token '%s' fails the step", (token) => {
    const log = logOf([`::stop-commands::${token}`, "::notice::still obeyed"]);

    expect(log.commandFailed).toBe(true);
    expect(log.annotations.at(-1)?.message).toBe("still obeyed");
  });

  test.each([
    "::set-env name=A::b",
    "::add-path::/x",
    "::add-matcher::x.json",
    "::set-output::x",
    "::echo::maybe",
  ])("%s fails the step", (line) => {
    const log = logOf([line]);
    expect(log.commandFailed).toBe(true);
    expect(log.annotations[0]).toMatchObject({ level: "error" });
  });

  test("echo shows the commands executed after it, and never a secret", () => {
    const log = logOf(["::echo::on", "::group::A", "::add-mask::hush-hush", "::echo::off", "::group::B"]);

    expect(log.lines).toEqual(["::group::A", "▼ A", "::add-mask::***", "::echo::off", "▼ B"]);
  });

  test("only ten annotations of a level are shown, each truncated to 4,096 characters, and all stay in the log", () => {
    const log = logOf([
      ...Array.from({ length: 12 }, (_, at) => `::error::${at}`),
      `::warning::${"x".repeat(5000)}`,
    ]);

    expect(log.annotations.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
      ..."0123456789",
    ]);
    expect(log.annotations.at(-1)?.message).toHaveLength(4096);
    expect(log.lines).toHaveLength(13);
  });
});

describe("masks", () => {
  test("hide a value from the command on, in the log and in annotations", () => {
    const log = logOf(["s3cret", "::add-mask::s3cret", "as3cretb", "::error::s3cret"]);

    expect(log.lines).toEqual(["s3cret", "a***b", "Error: ***"]);
    expect(log.annotations[0]?.message).toBe("***");
  });

  test("hide every line of a value of several lines", () => {
    const log = logOf(["::add-mask::one-line%0Atwo-line%0D%0A", "a two-line b one-line"]);

    expect(log.lines).toEqual(["a *** b ***"]);
  });

  test("an empty mask causes a warning and hides nothing", () => {
    expect(logOf(["::add-mask:: ", "a b"]).lines).toEqual([
      "Warning: Can't add secret mask for empty string in ##[add-mask] command.",
      "a b",
    ]);
  });

  test("hide a secret that is quoted for JSON, a URL or XML", () => {
    const masks = new Masks(['k"e/y&\\']);

    expect(masks.apply(JSON.stringify({ key: 'k"e/y&\\' }))).toBe('{"key":"***"}');
    expect(masks.apply(`?k=${encodeURIComponent('k"e/y&\\')}`)).toBe("?k=***");
    expect(masks.apply("<k>k&quot;e/y&amp;\\</k>")).toBe("<k>***</k>");
  });

  test("hide the base64 of `key:` for one key length in three only, as the runner does", () => {
    const hidden = ["abcde", "abcdef", "abcdefg"].map((key) => {
      const header = Buffer.from(`${key}:`).toString("base64");
      return !new Masks([key]).apply(header).includes(header.slice(0, 6));
    });

    expect(hidden.filter(Boolean)).toHaveLength(1);
  });

  test("leave no secret in any text, whatever surrounds it", () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.trim() !== "" && !value.includes("*"));
    fc.assert(
      fc.property(text, text, fc.string(), (one, two, between) => {
        const masked = new Masks([one, two]).apply(`${one}${between}${two}${one}`);
        expect(masked.replaceAll("***", "\u0000")).not.toContain(one);
        expect(masked.replaceAll("***", "\u0000")).not.toContain(two);
      }),
    );
  });
});

describe("the lines of a process", () => {
  test("end at a line feed, a carriage return or both, however the output is split into chunks", async () => {
    const text = "a\r\nbé\rc\n\n::error::d\r\r\ne";
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const stream = new PassThrough();
      const lines: string[] = [];
      const read = readLines(stream, (line) => lines.push(line));
      for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)])
        if (part.length > 0) stream.write(part);
      stream.end();

      expect(await read).toBe(text);
      expect(lines).toEqual(["a", "bé", "c", "", "::error::d", "", "e"]);
    }
  });
});

describe("the outputs file", () => {
  const pairs = (text: string, newline?: RegExp) =>
    Array.from(keyValuePairs(text, newline), ({ name, value }) => [name, value]);

  test("contains plain pairs and heredocs, and blank lines between them", () => {
    expect(pairs("a=1=2\n\nb<<END\nx=y\n\n END\nEND\nc<<=E\nz\n=E\nd=<<x\ne<<E\nE\nf=", /\n/)).toEqual([
      ["a", "1=2"],
      ["b", "x=y\n\n END"],
      ["c", "z"],
      ["d", "<<x"],
      ["e", ""],
      ["f", ""],
    ]);
  });

  test("keeps a carriage return of a value, except on Windows", () => {
    expect(pairs("a=1\r\nb<<E\r\nx\r\nE\r\n", /\r?\n/)).toEqual([
      ["a", "1"],
      ["b", "x"],
    ]);
    expect(pairs("a=1\r\n", /\n/)).toEqual([["a", "1\r"]]);
  });

  test.each(["nothing", "=x", "<<E\nx\nE", "a<<", "a<<E\nx", "a<<E\nx\nE \n"])("rejects %j", (text) => {
    expect(() => pairs(text, /\n/)).toThrow("Invalid");
  });

  test("returns any value that was written as a heredoc with its own delimiter", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(pairs(`name<<gh-delimiter-1\n${value}\ngh-delimiter-1\n`, /\n/)).toEqual([["name", value]]);
      }),
    );
  });
});
