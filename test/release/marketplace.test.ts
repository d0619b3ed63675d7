import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { actions } from "../../src/actions/actions.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Names that the Marketplace reserves: its categories, and features of GitHub. */
const RESERVED = [
  ...[
    "ai assisted",
    "api management",
    "backup utilities",
    "chat",
    "code quality",
    "code review",
    "code search",
  ],
  ...["code scanning ready", "community", "container ci", "continuous integration", "dependency management"],
  ...[
    "deployment",
    "desktop tools",
    "free",
    "game ci",
    "github sponsors",
    "ides",
    "learning",
    "localization",
  ],
  ...["mobile", "mobile ci", "monitoring", "open source management", "project management", "publishing"],
  ...[
    "recently added",
    "reporting",
    "security",
    "security ci",
    "support",
    "testing",
    "time tracking",
    "utilities",
  ],
  ...["actions", "codespaces", "copilot", "dependabot", "discussions", "issues", "packages", "pages"],
];
/** Suitable icons of Feather 4.28. The Marketplace omits some, such as `github`. */
const ICONS = [
  "activity",
  "archive",
  "award",
  "check",
  "check-circle",
  "check-square",
  "clipboard",
  "shield",
];
const COLORS = ["white", "black", "yellow", "blue", "green", "orange", "red", "purple", "gray-dark"];

/*
 * Not testable: the repository is public, the name is free, its owner has accepted the agreement and has two-factor
 * authentication.
 */
test("the root action meets the Marketplace's requirements", () => {
  const metadata = readdirSync(root).filter((name) => /^action\.ya?ml$/i.test(name));
  expect(metadata, "one metadata file, at the top").toEqual(["action.yml"]);
  const { name, description, author, branding, runs } = parse(read("action.yml"));

  expect(name).toMatch(/^[A-Z][\w -]*\w$/);
  expect(RESERVED).not.toContain(name.toLowerCase());
  const others = actions.map((action) => parse(read(`actions/${action.name}/action.yml`)).name);
  expect([...others, name].length, "a unique name").toBe(new Set([...others, name]).size);

  expect(description.length, "shown whole").toBeLessThan(125);
  expect(author).toMatch(/\S/);
  expect(ICONS).toContain(branding.icon);
  expect(COLORS).toContain(branding.color);

  expect(runs.using).toBe("node24");
  expect(statSync(join(root, runs.main)).isFile(), "committed code").toBe(true);
  expect(read("README.md"), "its page").toMatch(/^# \S/);
  expect(statSync(join(root, "LICENSE")).isFile()).toBe(true);
});
