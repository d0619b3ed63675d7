import { spawnSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import { operations } from "../../src/api/resources/operations.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { PROGRAM } from "../../src/cli/operator/program.ts";
import { runHere } from "./terminal.ts";

async function script(shell: string): Promise<string> {
  const { status, stdout, stderr } = await runHere(["completion", shell]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const firstWords = [...new Set(Object.keys(PROGRAM).map((name) => name.split(" ")[0] ?? ""))];

/** The words before the cursor, and the suggestions without `--help`, which fish has no line for. */
const CASES: readonly (readonly [words: readonly string[], suggested: readonly string[]])[] = [
  [["share", "--"], Object.keys(COMMANDS.share.options).map((option) => `--${option}`)],
  [["share", "--un"], ["--until"]],
  [["keys", "create", "--acc"], ["--account"]],
  [[""], firstWords],
  [
    ["keys", ""],
    ["create", "list", "revoke"],
  ],
  [
    ["share", ""],
    ["trail", "artifact", "environment", "badge"],
  ],
  [
    ["trust", ""],
    ["azure", "bitbucket", "buildkite", "circleci", "github", "gitlab", "kubernetes"],
  ],
  [
    ["trust", "github", "--role", "a"],
    ["attester", "approver", "auditor"],
  ],
  [
    ["keys", "list", "--output", ""],
    ["table", "json"],
  ],
  [["call", "listAll"], ["listAllowlists"]],
  [
    ["call", "getSnapshot", ""],
    ["env_name=", "snapshot_expression=", "page=", "per_page="],
  ],
  [["call", "attestGeneric", "flow_name=web", "a"], ["attachment_file="]],
  [["call", "listRepos", "--output", "json", "per"], ["per_page="]],
  [["call", "listRepos", "--org", "per"], []],
  [["help", "call", ""], Object.keys(operations)],
  [["help", ""], firstWords],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
];

const SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => string>> = {
  bash: (text, words) => `${text}
    COMP_WORDS=(delivery-evidence ${quoted(words)}) COMP_CWORD=${words.length}
    _delivery_evidence && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The completion system needs a terminal. This stub filters by the typed word in its place.
  zsh: (text, words) => `compdef() { : }; _files() { : }
    compadd() { [[ $1 = -S ]] && shift 2; shift; for word in $@; do [[ $word = $words[CURRENT]* ]] && print -r -- $word; done }
    ${text}
    words=(delivery-evidence ${quoted(words)}); CURRENT=${words.length + 1}
    _delivery_evidence`,
  fish: (text, words) => `${text}
    complete -C 'delivery-evidence ${words.join(" ")}'`,
};

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

const OPTIONS: Readonly<Record<string, string[]>> = {
  bash: ["--norc", "-c"],
  zsh: ["-f", "-c"],
  fish: ["--no-config", "-c"],
};

describe.each(Object.entries(SHELLS))("completion in %s", (shell, program) => {
  const isHere = spawnSync(shell, ["-c", "true"]).status === 0;
  it.runIf(isHere).each(CASES)("suggests what can follow %j", async (words, suggested) => {
    const text = program(await script(shell), words);
    const { stdout, stderr } = spawnSync(shell, [...(OPTIONS[shell] ?? []), text], { encoding: "utf8" });
    expect(stderr).toBe("");
    const found = stdout
      .trim()
      .split("\n")
      .flatMap((line) => line.replace(/\t.*/, "") || []);
    expect(found.filter((word) => word !== "--help").sort()).toEqual([...suggested].sort());
  });
});

test.each(["bash", "zsh", "fish"])(
  "the script for %s has every command, option and operation",
  async (shell) => {
    const text = await script(shell);
    const defined = await Promise.all(Object.values(PROGRAM).map((command) => command.define()));
    const names = defined.flatMap(({ options }) => {
      return Object.keys(options).map((option) => (shell === "fish" ? `-l ${option} ` : `--${option} `));
    });
    const words = [...names, ...firstWords, ...Object.keys(operations)];
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  },
);

test("an unknown shell is an error", async () => {
  expect(await runHere(["completion", "tcsh"])).toEqual({
    status: 1,
    stdout: "",
    stderr: "delivery-evidence: Expected completion bash, completion zsh, or completion fish\n",
  });
});
