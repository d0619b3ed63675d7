import { commandHelp, PROGRAM_NAME } from "./command-help.ts";
import { rows, sections } from "./layout.ts";
import { commandOf, commandsIn, type Program } from "./program.ts";
import { alternatives, didYouMean, UsageError } from "./usage.ts";

const LISTS = `${PROGRAM_NAME} --help lists the commands`;

/**
 * Help for a command or an operation; an overview of all commands, or of a group such as `keys`.
 *
 * @throws {UsageError} for an unknown command
 */
export async function helpFor(words: readonly string[], program: Program): Promise<string> {
  const [first, second] = words;
  if (first === undefined) return overview(program, true);
  if (first === "call" && second !== undefined) {
    return (await import("./operation-help.ts")).operationHelp(second);
  }
  const name = commandOf(program, words) ?? "";
  const command = program[name];
  if (command !== undefined) return commandHelp(name, await command.define());
  const group = commandsIn(program, words.join(" "));
  if (group.length === 0) throw unknownCommand(words, program);
  return overview(
    Object.fromEntries(Object.entries(program).filter(([each]) => group.includes(each))),
    false,
  );
}

export function unknownCommand(words: readonly string[], program: Program): UsageError {
  const [first, second = ""] = words;
  if (first === undefined) return new UsageError(`No command given. ${LISTS}`);
  const group = commandsIn(program, first);
  if (first.startsWith("-")) {
    const hint = didYouMean(first.replace(/^--?/, ""), ["version", "help"], "--") || ".";
    return new UsageError(`Unknown option ${first}${hint} ${LISTS}`);
  }
  const hint = didYouMean(first, Object.keys(program)) || ".";
  if (group.length === 0) return new UsageError(`Unknown command '${first}'${hint} ${LISTS}`);
  return new UsageError(`Expected ${alternatives(group)}, got '${`${first} ${second}`.trim()}'`);
}

/** Commands of several words, for the overview. */
const FAMILIES: Readonly<Record<string, string>> = {
  keys: "API keys",
  controls: "Frameworks",
  log: "Evidence log",
  orgs: "Organizations",
  trust: "Jobs that report without a key",
};

/** Rows of commands. With `short`, those of a family share one. */
function overview(listed: Program, short: boolean): string {
  const lines = Object.entries(listed).map(([name, { group, summary }]) => {
    const [family = "", ...second] = name.split(" ");
    const about = short ? FAMILIES[family] : undefined;
    return about === undefined ? { group, name, summary } : { group, name: family, summary: about, second };
  });
  const rowsByName = Map.groupBy(lines, ({ name }) => name);
  const groups = Map.groupBy([...rowsByName.values()], ([first]) => first?.group ?? "");
  const width = Math.max(...[...rowsByName.keys()].map(({ length }) => length));
  const rowOf = (members: typeof lines): [string, string] => {
    const [{ name = "", summary = "" } = {}] = members;
    const seconds = members.flatMap(({ second = [] }) => second);
    return [name, seconds.length === 0 ? summary : `${summary}: ${seconds.join(", ")}`];
  };
  return sections({
    [`Usage: ${PROGRAM_NAME} COMMAND [OPTION…] | help COMMAND | --version`]: [],
    ...Object.fromEntries(
      [...groups].map(([group, members]) => [`${group}:`, rows(members.map(rowOf), width)]),
    ),
  });
}
