import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonData } from "../../src/evidence/json-data.ts";
import { findJsonFault } from "../../src/evidence/json-syntax.ts";
import { codePoint } from "../code-point.ts";
import { refusal } from "./refusal.ts";
import { Link, plant, planted, temporaryDirectory } from "./temporary-directory.ts";

async function read(text: string, workspace = "."): Promise<unknown> {
  return await readJsonData(text, { input: "user-data", workspace });
}

async function messageOf(text: string, workspace?: string): Promise<string> {
  return (await refusal(read(text, workspace))).message;
}

describe("JSON data", () => {
  test.each(['{"a": [1, true, null, "x"]}', " \n[1]", "{}"])(
    "is read from the text itself: %j",
    async (text) => {
      expect(await read(text)).toEqual(JSON.parse(text));
    },
  );

  test("is read from a file in the workspace, as an object or an array", async () => {
    const workspace = planted({ data: { "object.json": '\n {"a": 1}', "array.json": "[1]" } });
    expect(await read("data/object.json\n", workspace)).toEqual({ a: 1 });
    expect(await read(join(workspace, "data/array.json"), workspace)).toEqual([1]);
  });

  test("keeps numbers as they are written", async () => {
    const digits =
      '{"id":12345678901234567890,"n":[-9007199254740993,0.12345678901234567890,1e999,1.10,1.0,-0,1E+2,0.0]}';
    expect(JSON.stringify(await read(digits))).toBe(digits);
  });

  test("contains plain numbers wherever JSON.stringify would write them the same way", async () => {
    const data = await read('{"n":[1.5,100,9007199254740991,1e+23,5e-324,0.1]}');
    expect(data).toEqual({ n: [1.5, 100, 9007199254740991, 1e23, 5e-324, 0.1] });
  });

  test("survives for any JSON value in an array", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: codePoint })), async (value) => {
        expect(await read(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("keeps a member named __proto__ as a member", async () => {
    expect(JSON.stringify(await read('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});

describe("JSON data is rejected", () => {
  test.each([
    ['{"a": NaN}', "line 1, column 7: the JSON has 'NaN' where a value should be"],
    ['{\n  "a": 1,\n}', "line 3, column 1: the JSON has '}' where a name in double quotes should be"],
    ["[1,\r\n2,]", "line 2, column 3: the JSON has ']' where a value should be"],
    ["[1 2]", "line 1, column 4: the JSON has '2' where ',' or ']' should be"],
    ['{"a" 1}', "line 1, column 6: the JSON has '1' where ':' should be"],
    ["{a: 1}", "line 1, column 2: the JSON has 'a' where a name in double quotes should be"],
    ["[01]", "line 1, column 3: the JSON has '1' where ',' or ']' should be"],
    ["[1] // note", "line 1, column 5: the JSON has '//' after the end of the JSON"],
    ['["é𝕏", x]', "line 1, column 8: the JSON has 'x' where a value should be"],
    ['{"a": [', "line 1, column 8: the JSON is truncated"],
    ['["a', "line 1, column 4: the JSON ends inside a string"],
    ['["a\nb"]', "line 1, column 4: the JSON has a line break or other control character in a string"],
    ['["\\x"]', "line 1, column 3: the JSON has an unknown escape in a string"],
    ["\ufeff{}", "line 1, column 1: the JSON starts with a byte order mark: save it as UTF-8 without one"],
    ['{"a": 1,\n"\\u0061": 2}', 'line 2, column 1: the JSON has the name "a" twice'],
  ])("with line and column: %j", async (text, problem) => {
    expect(await messageOf(text)).toBe(`user-data: ${problem}`);
  });

  test("with the name of the file it was read from", async () => {
    const workspace = planted({
      "bom.json": "\ufeff{}",
      "bad.json": "[\n-]",
      "scalar.json": "12345678901234567890",
    });
    expect(await messageOf("bom.json", workspace)).toBe(
      "user-data: 'bom.json', line 1, column 1: the JSON starts with a byte order mark: save it as UTF-8 without one",
    );
    expect(await messageOf("bad.json", workspace)).toContain("'bad.json', line 2, column 1: ");
    expect(await messageOf("scalar.json", workspace)).toBe(
      "user-data: 'scalar.json' must contain a JSON object or array, not a single value",
    );
  });

  test("when it is nested too deeply for a parser", async () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(await read(deep(500))).toBeInstanceOf(Array);
    expect(await messageOf(deep(100_000))).toBe(
      "user-data: line 1, column 501: the JSON is nested deeper than 500 levels",
    );
  });

  test("when it is neither JSON nor a file in the workspace", async () => {
    const parent = planted({ "outside.json": "{}" });
    const workspace = plant(join(parent, "w"), {
      "link.json": new Link("../outside.json"),
      directory: {},
      "latin1.json": Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d]),
      "huge.json": `["${"x".repeat(4 * 1024 * 1024)}"]`,
    });
    expect(await messageOf("absent.json", workspace)).toBe(
      "user-data: 'absent.json' does not exist; use JSON that starts with { or [, or the path of a JSON file",
    );
    expect(await messageOf("true", workspace)).toContain("'true' does not exist; use JSON");
    expect(await messageOf("../outside.json", workspace)).toContain("is outside the workspace");
    expect(await messageOf("link.json", workspace)).toContain(
      `'${parent}/outside.json' is not in '${workspace}'`,
    );
    expect(await messageOf("directory", workspace)).toBe(
      "user-data: 'directory' is a directory, not a JSON file",
    );
    expect(await messageOf("latin1.json", workspace)).toBe("user-data: 'latin1.json' is not UTF-8 text");
    expect(await messageOf("huge.json", workspace)).toContain("the limit is 4194304");
  });

  test("when the text is empty", async () => {
    expect(await messageOf(" ", temporaryDirectory())).toBe("user-data: is empty");
  });
});

describe("the position of a syntax error", () => {
  const fragments = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"b"',
    '"\\n"',
    '"\\q"',
    "1",
    "-0.5e3",
    "01",
    "true",
    "nul",
    " ",
    "\n",
  ];

  test("is found exactly when the parser finds one, unless a name is repeated", () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(text, fc.json(), fc.string()), (candidate) => {
        const fault = findJsonFault(candidate);
        if (fault?.problem.endsWith(" twice")) return;
        const parses = () => JSON.parse(candidate);
        if (fault === undefined) expect(parses).not.toThrow();
        else expect(parses).toThrow(SyntaxError);
      }),
      { numRuns: 3000 },
    );
  });
});
