import { expect } from "vitest";
import { API_KEY } from "../actions/bundle-run.ts";
import { commandsIn, masksIn } from "../github/printed.ts";
import type { EndedStep } from "./step.ts";

/** Text that the runner, a terminal, Markdown, HTML, a shell or the outputs file would act on. */
export const COMMANDS = [
  "::error title=injected::injected",
  "start\n::error::injected",
  "start\r::add-mask::injected",
  "start\r\n  ::stop-commands::injected",
  "\u2028::set-output name=injected::x",
  "a ##[set-output name=injected]x ##[group]injected",
  "#\u001b[0m#[error]injected",
];
export const MARKUP = [
  "\u001b[31mred\u001b[2J\u001b]0;title\u0007\u009b31m",
  "<img src=x onerror=alert(1)><script>alert(1)</script><!-- ",
  "![x](https://evil.example/x.png) [x](javascript:alert(1)) @acme/everyone #1",
  "a | b | c\n| --- | --- |\n\n# heading\n```\n",
  "`x` $(curl evil) ${{ secrets.X }} \u202egnp.exe",
];
const OUTPUTS = "x\nghadelimiter_injected\ninjected=1\ninjected<<EOF\n1\nEOF\n";
/** All of it as one text. */
export const HOSTILE = [...COMMANDS, ...MARKUP, OUTPUTS].join("\n");
/** All of it that fits on one line. */
export const HOSTILE_LINE = [...COMMANDS, ...MARKUP].join(" ").replace(/\s*[\n\r]+\s*/g, " ");

const OURS = /^::(error|warning|notice|group|endgroup|debug|add-mask)\b/;

/** Checks that the log, the summary and the outputs contain only commands of the step itself. */
export function expectInert(step: EndedStep, secrets: readonly string[] = []): void {
  expect(step.stderr).toBe("");
  for (const line of commandsIn(step.stdout)) expect(line).toMatch(OURS);
  expect(step.stdout).not.toMatch(/^\s*::(error|add-mask|warning|notice|group)(?: [^:]*)?::injected/m);
  expect(step.stdout).not.toContain("##[");
  expect(step.stdout).not.toMatch(/^::\w+ [^:]*injected/m);
  const own = [
    API_KEY,
    Buffer.from(`${API_KEY}:`).toString("base64"),
    Buffer.from(API_KEY).toString("base64"),
  ];
  expect(masksIn(step.stdout).filter((mask) => ![...own, ...secrets].includes(mask))).toEqual([]);
  for (const text of [step.stdout, step.summary]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  }
  const markup = step.summary.replace(/<(br|wbr)>|\]\(<https?:\/\/[^<>\s]*>\)/g, "");
  expect(markup).not.toMatch(/[<`]|!\[|\]\(|javascript:|@acme|\$\{\{/);
  for (const line of step.summary.split("\n"))
    expect(line).toMatch(/^($|### |\| |\|( :---|\[| ---)|\[|… and )/);
  const tables = step.summary
    .split(/\n\n/)
    .map((block) => block.split("\n").filter((line) => line.startsWith("|")));
  for (const rows of tables) expect(new Set(rows.map((row) => row.split("|").length)).size).toBeLessThan(2);
  expect(Object.keys(step.outputs)).not.toContain("injected");
}
