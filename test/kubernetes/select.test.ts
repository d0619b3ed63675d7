import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/api/client/errors.ts";
import { type NamespaceInputs, selectNamespaces } from "../../src/kubernetes/select.ts";

const ALL = ["default", "kube-system", "team-a", "team-b", "team-a-test"];

function selected(inputs: NamespaceInputs): string[] {
  const { includes } = selectNamespaces(inputs);
  return ALL.filter((namespace) => includes(namespace));
}

describe("a selection of namespaces", () => {
  test.each<[string, NamespaceInputs, string[]]>([
    ["includes all when it is unset", {}, ALL],
    ["includes all when the lists are empty", { namespaces: [], excludeNamespacesRegex: [] }, ALL],
    ["includes the listed ones, by their full names", { namespaces: ["team-a", "nowhere"] }, ["team-a"]],
    [
      "includes those that match anywhere in the name",
      { namespacesRegex: ["a-t", "^def"] },
      ["default", "team-a-test"],
    ],
    [
      "includes the listed ones and those that match",
      { namespaces: ["default"], namespacesRegex: ["-b$"] },
      ["default", "team-b"],
    ],
    [
      "excludes the listed ones",
      { excludeNamespaces: ["kube-system", "default"] },
      ["team-a", "team-b", "team-a-test"],
    ],
    [
      "excludes those that match",
      { excludeNamespacesRegex: ["^kube-", "test"] },
      ["default", "team-a", "team-b"],
    ],
  ])("%s", (_, inputs, namespaces) => {
    expect(selected(inputs)).toEqual(namespaces);
  });

  test("needs no list of all namespaces only when each is listed by name", () => {
    expect(selectNamespaces({ namespaces: ["b", "a", "b"] }).exactly).toEqual(["a", "b"]);
    expect(selectNamespaces({ namespaces: ["a"], namespacesRegex: ["b"] }).exactly).toBeUndefined();
    expect(selectNamespaces({ excludeNamespaces: ["a"] }).exactly).toBeUndefined();
    expect(selectNamespaces({}).exactly).toBeUndefined();
  });

  test("by exclusion is the complement of the same one by inclusion", () => {
    const name = fc.stringMatching(/^[a-c]{1,3}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.array(name), name, (names, patterns, namespace) => {
        const included = selectNamespaces({ namespaces: names, namespacesRegex: patterns });
        const excluded = selectNamespaces({ excludeNamespaces: names, excludeNamespacesRegex: patterns });
        expect(included.includes(namespace)).toBe(!excluded.includes(namespace));
      }),
    );
  });

  test("reports every problem at once, by the input's name", () => {
    const inputs = {
      namespaces: ["ok", "../secrets", "UPPER", ""],
      namespacesRegex: ["ok", "("],
      excludeNamespaces: ["-x"],
      excludeNamespacesRegex: ["[z-a]"],
    };
    const error = (() => {
      try {
        return selectNamespaces(inputs);
      } catch (caught) {
        return caught;
      }
    })();
    if (!(error instanceof InputError)) throw new Error("accepted");
    expect(error.problems.map(({ input, problem }) => `${input}: ${problem}`)).toEqual([
      "namespaces: '../secrets' is not a valid namespace name",
      "namespaces: 'UPPER' is not a valid namespace name",
      "namespaces: '' is not a valid namespace name",
      expect.stringMatching(/^namespaces-regex: '\(' is not a regular expression: /),
      "exclude-namespaces: '-x' is not a valid namespace name",
      expect.stringMatching(/^exclude-namespaces-regex: '\[z-a\]' is not a regular expression: /),
      expect.stringMatching(
        /^namespaces: cannot be used with exclude-namespaces and exclude-namespaces-regex/,
      ),
      expect.stringMatching(/^namespaces-regex: cannot be used with/),
    ]);
  });
});
