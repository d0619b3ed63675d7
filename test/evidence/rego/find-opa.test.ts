import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findOpa } from "../../../src/evidence/rego/find-opa.ts";
import { planted } from "../temporary-directory.ts";

const PROGRAMS = ["bin/opa", "cache/opa/1.9.0/x64/opa", "cache/opa/1.22.2/x64/opa"];

test("opa is found at its path, else on the PATH, else in the newest version of the tool cache", () => {
  const folder = planted(Object.fromEntries([...PROGRAMS, "text/opa"].map((path) => [path, ""])));
  const at = (path: string) => join(folder, path);
  for (const path of PROGRAMS) chmodSync(at(path), 0o755);
  const RUNNER_TOOL_CACHE = at("cache");
  const withPath = (PATH: string) => ({ environment: { PATH, RUNNER_TOOL_CACHE }, given: undefined });
  expect(findOpa({ ...withPath(at("bin")), given: at("other") })).toBe(at("other"));
  expect(findOpa(withPath(at("bin")))).toBe(at("bin/opa"));
  expect(findOpa(withPath(`:${at("text")}:${at("absent")}`))).toBe(at("cache/opa/1.22.2/x64/opa"));
});

test("without opa, the error names how to get it", () => {
  expect(() => findOpa({ given: undefined, environment: {} })).toThrow("open-policy-agent/setup-opa");
});
