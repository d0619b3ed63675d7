import { describe, expect, test } from "vitest";
import {
  choice,
  choices,
  flag,
  type Input,
  lines,
  list,
  pairs,
  parseFlag,
  Unreadable,
  whole,
} from "../../../src/github/step/input.ts";

const spec = { description: "d" };

/** The value that the input reads from a text, or its error. */
function read<T>(input: Input<T>, text: string): T | string {
  try {
    return input.parse(text);
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

describe("a boolean follows the core schema of YAML 1.2", () => {
  test.each(["true", "True", "TRUE"])("'%s' is true", (text) => {
    expect(parseFlag(text)).toBe(true);
  });

  test.each(["false", "False", "FALSE"])("'%s' is false", (text) => {
    expect(parseFlag(text)).toBe(false);
  });

  test.each([
    "no",
    "yes",
    "0",
    "1",
    "off",
    "on",
    "",
    "False ",
    "tRUE",
    "truely",
    "nottrue",
    "null",
    "true\nfalse",
  ])("'%s' is neither", (text) => {
    expect(read(flag({ ...spec, default: "false" }), text)).toBe(`must be true or false, not '${text}'`);
  });

  test.each([
    ["true", true],
    ["false", false],
  ] as const)("an omitted one has its default, %s", (text, value) => {
    expect(flag({ ...spec, default: text }).absent).toBe(value);
  });
});

test.each([
  ["generic", "generic"],
  ["artifact", "artifact"],
  ["Generic", "must be generic or artifact, not 'Generic'"],
  ["", "must be generic or artifact, not ''"],
  ["toString", "must be generic or artifact, not 'toString'"],
])("a choice of 'generic' and 'artifact' reads '%s'", (text, expected) => {
  expect(read(choice({ ...spec, choices: ["generic", "artifact"] }), text)).toBe(expected);
});

test("an invalid choice counts as its default, or as unset", () => {
  expect(choice({ ...spec, choices: ["a", "b"], default: "b" }).absent).toBe("b");
  expect(choice({ ...spec, choices: ["a", "b"] }).absent).toBeUndefined();
});

test.each([
  ["1", 1],
  ["3600", 3600],
  ["007", 7],
  ["0", "must be a whole number from 1 to 3600, not '0'"],
  ["3601", "must be a whole number from 1 to 3600, not '3601'"],
  ["-1", "must be a whole number from 1 to 3600, not '-1'"],
  ["+1", "must be a whole number from 1 to 3600, not '+1'"],
  ["1.5", "must be a whole number from 1 to 3600, not '1.5'"],
  ["1e3", "must be a whole number from 1 to 3600, not '1e3'"],
  ["0x10", "must be a whole number from 1 to 3600, not '0x10'"],
  ["120s", "must be a whole number from 1 to 3600, not '120s'"],
  ["9".repeat(400), `must be a whole number from 1 to 3600, not '${"9".repeat(400)}'`],
])("a whole number from 1 to 3600 reads '%s'", (text, expected) => {
  expect(read(whole({ ...spec, default: "120", min: 1, max: 3600 }), text)).toBe(expected);
});

test.each([
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  [" a , b ,", ["a", "b"]],
  ["a\nb\r\nc", ["a", "b", "c"]],
  ["a, b # c, d\n# all of it\ne", ["a", "b", "e"]],
  ["a#b", ["a#b"]],
  ["#a\n,\n , ", []],
])("a list reads %j", (text, items) => {
  expect(read(list(spec), text)).toEqual(items);
});

test.each([
  ["a,b\nc", ["a,b", "c"]],
  ["  a b  \n\n\r\n", ["a b"]],
  ["https://x.example/#frag # the page", ["https://x.example/#frag"]],
  ["# only a comment", []],
  ["*.xml\t# tabs count as blanks", ["*.xml"]],
])("lines read %j", (text, items) => {
  expect(read(lines(spec), text)).toEqual(items);
});

test.each([
  ["author", ["author"]],
  ["author, branch\nmessage", ["author", "branch", "message"]],
  ["author, autor, email", "must list author, message or branch, not 'autor', 'email'"],
])("a list of allowed words reads %j", (text, expected) => {
  expect(read(choices({ ...spec, choices: ["author", "message", "branch"] }), text)).toEqual(expected);
});

describe("name=value lines", () => {
  test.each([
    ["a=1", { a: "1" }],
    ["a = 1 \n b=2", { a: "1", b: "2" }],
    ["a=x=y", { a: "x=y" }],
    ["a=", { a: "" }],
    ["page=https://x.example/?q=1#top # a link", { page: "https://x.example/?q=1#top" }],
    ["", {}],
    ["a", "must be name=value lines, not 'a'"],
    ["=1", "must be name=value lines, not '=1'"],
    ["a=1\na=2", "must not name 'a' twice"],
    ["a=1\n a =2", "must not name 'a' twice"],
  ])("read %j", (text, expected) => {
    expect(read(pairs(spec), text)).toEqual(expected);
  });

  test("accept a name like __proto__ as any other", () => {
    expect(Object.entries(pairs(spec).parse("__proto__=1"))).toEqual([["__proto__", "1"]]);
  });
});
