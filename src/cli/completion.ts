import { parameterNames } from "../api/client/invoke.ts";
import { operations } from "../api/resources/operations.ts";
import type { Program } from "./program.ts";
import { type Definition, LITERAL, oneOf, type Terminal } from "./usage.ts";

/** Words that can follow `keys` or `keys create`: the rest of a command's name, or a literal argument. */
type Words = ReadonlyMap<string, readonly string[]>;

const SHELLS = ["bash", "zsh", "fish"] as const;

type Commands = readonly (readonly [name: string, Definition])[];

export async function completion(
  { positionals: [shell = ""] }: { readonly positionals: readonly string[] },
  { print }: Terminal,
  program: Program,
): Promise<number> {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  const commands: Commands = await Promise.all(
    Object.entries(program).map(async ([name, command]) => [name, await command.define()] as const),
  );
  print(scripts[oneOf(shell, SHELLS, "The shell")](nextWords(commands), commands));
  return 0;
}

function nextWords(commands: Commands): Words {
  const names = commands.map(([name]) => name.split(" "));
  const firsts = [...new Set(names.map(([first = ""]) => first))];
  const following = firsts.map(
    (first) =>
      [
        first,
        names.flatMap(([group, second]) => (group === first && second !== undefined ? [second] : [])),
      ] as const,
  );
  const literals = commands.map(
    ([name, { args }]) =>
      [name, args.map((usage) => usage.replace(/ .*/, "")).filter((word) => LITERAL.test(word))] as const,
  );
  return new Map<string, readonly string[]>([
    ["", firsts],
    ...[...following, ...literals].filter(([, words]) => words.length > 0),
    ["call", Object.keys(operations)],
    ["help", firsts],
    ["help call", Object.keys(operations)],
  ]);
}

/** Operations of `call` and their parameters: `listRepos` and `page=`. */
function parameters(): (readonly [operation: string, words: readonly string[]])[] {
  return Object.values(operations)
    .map((each) => [each.name, parameterNames(each).map((name) => `${name}=`)] as const)
    .filter(([, words]) => words.length > 0);
}

/** Branches of a shell's `case` that set `found`. The command and the last words choose one. */
function branches(words: Words, commands: Commands): string[] {
  const values = commands.flatMap(([name, { options }]) =>
    Object.entries(options).flatMap(([option, { type, values: known = [] }]) =>
      type === "boolean" ? [] : [branch(`${name}|*|--${option}|*`, known)],
    ),
  );
  const all = commands.map(([name, { options }]) =>
    branch(`${name}|*|*|-*`, [...Object.keys(options).map((option) => `--${option}`), "--help"]),
  );
  const next = [...words].map(([command, following]) => branch(`${command}|yes|*|*`, following));
  // bash splits a word at `=`.
  const value = branch("call|no|=|*", []);
  const named = parameters().map(([operation, names]) => branch(`call|no|*|*|${operation}`, names));
  return [...values, ...all, value, ...named, ...next];
}

function branch(pattern: string, words: readonly string[]): string {
  const quoted = pattern
    .split("*")
    .map((part) => (part === "" ? "" : `'${part}'`))
    .join("*");
  return `    ${quoted}) found='${words.join(" ")}' ;;`;
}

/** Names that two words can have, for a shell's `case`. */
function longNames(words: Words, commands: Commands): string {
  return [...new Set([...commands.map(([name]) => name), ...words.keys()])]
    .filter((name) => name.includes(" "))
    .map((name) => `'${name}'`)
    .join("|");
}

const bashScript = (words: Words, commands: Commands) => `_delivery_evidence() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= next=no found= count=0
  (( COMP_CWORD > 1 )) && command=\${COMP_WORDS[1]} count=1
  if (( COMP_CWORD > 2 )); then
    case "$command \${COMP_WORDS[2]}" in
      ${longNames(words, commands)}) command="$command \${COMP_WORDS[2]}" count=2 ;;
    esac
  fi
  (( COMP_CWORD == count + 1 )) && next=yes
  case "$command|$next|$previous|$current|\${COMP_WORDS[2]}" in
${branches(words, commands).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$found" -- "$current"))
  if [[ $found == *= ]]; then compopt -o nospace 2>/dev/null || true; fi
}
complete -o default -F _delivery_evidence delivery-evidence`;

const zshScript = (words: Words, commands: Commands) => `#compdef delivery-evidence
_delivery_evidence() {
  local current=$words[CURRENT] previous=$words[CURRENT-1] command= next=no found= count=0
  (( CURRENT > 2 )) && { command=$words[2]; count=1 }
  if (( CURRENT > 3 )); then
    case "$command $words[3]" in
      ${longNames(words, commands)}) command="$command $words[3]"; count=2 ;;
    esac
  fi
  (( CURRENT == count + 2 )) && next=yes
  case "$command|$next|$previous|$current|$words[3]" in
${branches(words, commands).join("\n")}
  esac
  if [[ $found == *= ]]; then compadd -S '' -- \${=found}
  elif [[ -n $found ]]; then compadd -- \${=found}; else _files; fi
}
compdef _delivery_evidence delivery-evidence`;

/** fish shows descriptions, and has a line for each word. */
function fishScript(words: Words, commands: Commands): string {
  const complete = (command: string, where: "at" | "in" | "of", rest: string) =>
    `complete -c delivery-evidence -n '__delivery_evidence_${where} ${command}' ${rest}`;
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return [
    "function __delivery_evidence_in",
    "    set -l words (commandline -opc)",
    "    set -l last (math 1 + (count $argv))",
    '    test "$words[2..$last]" = "$argv"',
    "end",
    "function __delivery_evidence_at",
    "    set -l words (commandline -opc)",
    '    test "$words[2..]" = "$argv"',
    "end",
    "function __delivery_evidence_of",
    "    __delivery_evidence_in $argv; and not string match -q '*=*' -- (commandline -ct)",
    "end",
    ...parameters().map(([operation, names]) =>
      complete(`call ${operation}`, "of", `-f -a ${quoted(names.join(" "))}`),
    ),
    ...[...words].map(([command, following]) =>
      complete(command, "at", `-f -a ${quoted(following.join(" "))}`),
    ),
    ...commands.flatMap(([name, { options }]) =>
      Object.entries(options).map(([option, { type, values, text }]) => {
        const taken = values === undefined ? "-r" : `-x -a ${quoted(values.join(" "))}`;
        const shape = type === "boolean" ? "" : `${taken} `;
        return complete(name, "in", `-l ${option} ${shape}-d ${quoted(text)}`);
      }),
    ),
  ].join("\n");
}
