import { describe, expect, test } from "vitest";
import { messageFor, outputsFor, withoutCommands } from "../../src/ci/messages.ts";

const azure = { TF_BUILD: "True" };

describe("a message", () => {
  test.each([
    ["delivery-evidence: Not found", "error", "##vso[task.logissue type=error]Not found"],
    ["warning: 100% slow", "warning", "##vso[task.logissue type=warning]100%AZP25 slow"],
    ["one\r\ntwo", "error", "##vso[task.logissue type=error]one%0D%0Atwo"],
    ["a warning: b", "warning", "##vso[task.logissue type=warning]a warning: b"],
    ["x %0A y", "error", "##vso[task.logissue type=error]x %AZP250A y"],
  ] as const)("'%s' of the kind %s is shown by Azure Pipelines", (text, kind, line) => {
    expect(messageFor(azure, text, kind)).toBe(line);
    expect(messageFor({ TF_BUILD: "" }, text, kind)).toBe(text);
    expect(messageFor({ GITLAB_CI: "true" }, text, kind)).toBe(text);
  });
});

describe("the outputs of a command", () => {
  test("are variables of later steps of Azure Pipelines", () => {
    const outputs = { trail: "a;b]c", "trail-url": "https://x.example/?a=1%20\n##vso[task.complete]" };
    expect(outputsFor(azure, outputs)).toEqual([
      "##vso[task.setvariable variable=trail;isOutput=true]a;b]c",
      "##vso[task.setvariable variable=trail_url;isOutput=true]https://x.example/?a=1%AZP2520%0A##vso[task.complete]",
    ]);
    expect(outputsFor(azure, { "a;b]": "" })).toEqual([
      "##vso[task.setvariable variable=a%3Bb%5D;isOutput=true]",
    ]);
  });

  test("are not in the log of another system", () => {
    expect(outputsFor({ CI: "true" }, { trail: "a" })).toEqual([]);
  });
});

describe("a command in untrusted text", () => {
  test.each([
    ["##vso[task.setvariable variable=PATH]/evil", "##vso\\u005btask.setvariable variable=PATH]/evil"],
    ["see ##VSO[task.complete]", "see ##VSO\\u005btask.complete]"],
    ["##v\u200bs\u2060o[task.complete]", "##v\u200bs\u2060o\\u005btask.complete]"],
    ["#\u200b#vso[x]", "#\u200b#vso\\u005bx]"],
    ["##[error]fake", "##\\u005berror]fake"],
    ["##teamcity[buildProblem]", "##teamcity\\u005bbuildProblem]"],
    ["::error::fake", "\\u003a:error::fake"],
    ["fine\n  ::add-mask::e", "fine\n  \\u003a:add-mask::e"],
    ["a::b, ## heading, [link], #1[2]", "a::b, ## heading, [link], #1[2]"],
  ])("%j is not executed", (text, shown) => {
    expect(withoutCommands(text)).toBe(shown);
  });

  test("leaves the value of JSON as it was", () => {
    const value = { message: "::x\n##vso[y]\\##[z]", "##[": [1] };
    const printed = withoutCommands(JSON.stringify(value));
    expect(printed).not.toMatch(/##\w*\[/);
    expect(JSON.parse(printed)).toEqual(value);
  });
});
