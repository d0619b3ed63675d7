import { expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import { issueKeyFinder } from "../../../src/evidence/jira/look-up-issues.ts";

test.each<[text: string, keys: string[], projects?: string[]]>([
  ["WEB-7: sell more, see SHOP-12 and WEB-7", ["SHOP-12", "WEB-7"]],
  ["feature/web-7-sell-more", ["WEB-7"]],
  ["(WEB-7),[SHOP-12]", ["SHOP-12", "WEB-7"]],
  ["fixes CVE-2026-41284", []],
  ["CVE-2026-41284, and CVE-2026 once more", ["CVE-2026"]],
  ["A-1, WEB-, WEB7, -7, ABCDEFGHIJK-1", []],
  ["UTF-8 in WEB-7", ["WEB-7"], ["web"]],
  ["MY_APP-3 and APP-3", ["MY_APP-3"], ["MY_APP"]],
  ["WEB-7 and WEBAPP-8", ["WEBAPP-8"], ["WEBAPP", "shop"]],
  ["nothing", []],
])("'%s' contains the issues %j, of the projects %j", (text, keys, projects = []) => {
  expect(issueKeyFinder(projects)([text])).toEqual(keys);
});

test("texts are searched separately", () => {
  expect(issueKeyFinder([])(["see WEB", "-7", "SHOP-1", "2"])).toEqual(["SHOP-1"]);
});

test("an invalid project key is rejected, since it is part of a pattern", () => {
  expect(() => issueKeyFinder(["WEB", "WEB-7", ".*"])).toThrow(InputError);
  expect(() => issueKeyFinder(["a("])).toThrow("jira-projects: 'a(' is not a valid project key");
});
