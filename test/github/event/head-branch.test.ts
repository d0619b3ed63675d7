import { expect, test } from "vitest";
import { branchOfHead } from "../../../src/github/event/head-branch.ts";

const acme = { full_name: "Acme/Web", owner: { login: "Acme" } };
const linus = { full_name: "linus/web", owner: { login: "Linus" } };

test.each([
  ["ours", { branch: "main", repository: acme }, "acme/web", "main"],
  ["a fork's", { branch: "main", repository: linus }, "acme/web", "Linus:main"],
  [
    "a fork's, by its full name",
    { branch: "main", repository: { full_name: "linus/web" } },
    "acme/web",
    "linus:main",
  ],
  ["a deleted fork's", { branch: "main", repository: undefined, login: "linus" }, "acme/web", "linus:main"],
  [
    "a fork's, whoever opened the pull request",
    { branch: "main", repository: linus, login: "eve" },
    "acme/web",
    "Linus:main",
  ],
  [
    "of an unknown owner, without a repository",
    { branch: "main", repository: undefined },
    "acme/web",
    undefined,
  ],
  [
    "of an unknown owner, with an empty repository",
    { branch: "main", repository: {} },
    "acme/web",
    undefined,
  ],
  ["its owner's, where ours is unknown", { branch: "main", repository: acme }, undefined, "Acme:main"],
  ["unknown without a name, in a fork", { branch: undefined, repository: linus }, "acme/web", undefined],
  ["unknown without a name", { branch: undefined, repository: acme }, "acme/web", undefined],
])("a branch is %s", (_, head, ours, expected) => {
  expect(branchOfHead(head, ours)).toBe(expected);
});
