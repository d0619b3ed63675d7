import { describeOption, optionText, usagesOf } from "../src/cli/command-help.ts";
import { RECORDS_OPTIONS } from "../src/cli/operator/options.ts";
import { PROGRAM } from "../src/cli/operator/program.ts";
import { CONNECTION_OPTIONS } from "../src/cli/options.ts";
import type { Definition, Options } from "../src/cli/usage.ts";

/** Options that several commands take, by the heading of their table. */
const SHARED: Readonly<Record<string, Options>> = {
  "Storage options": RECORDS_OPTIONS,
  "Connection options": CONNECTION_OPTIONS,
};

/** Sections for the commands by group, and for the options that they share. */
export async function commandTables(): Promise<string> {
  const defined = await Promise.all(
    Object.entries(PROGRAM).map(async ([name, command]) => [name, await command.define()] as const),
  );
  const groups = Map.groupBy(defined, ([, { group }]) => group);
  const commands = [...groups].flatMap(([group, members]) => [
    `## ${group}`,
    ...members.map(([name, definition]) => commandSection(name, definition)),
  ]);
  const shared = Object.entries(SHARED).map(([heading, options]) => `## ${heading}\n\n${table(options)}`);
  return [...commands, ...shared].join("\n\n");
}

function commandSection(name: string, definition: Definition): string {
  const { summary, details, statuses, examples, options } = definition;
  const used = Object.entries(SHARED).filter(([, shared]) =>
    Object.keys(shared).every((option) => option in options),
  );
  const own = Object.fromEntries(
    Object.entries(options).filter(([option, shape]) => used.every(([, shared]) => shared[option] !== shape)),
  );
  const links = used.map(([heading]) => `[${heading.toLowerCase()}](#${anchor(heading)})`).join(" and ");
  return [
    `### \`${name}\``,
    `${summary}.`,
    `\`\`\`text\n${usagesOf(name, definition)
      .map((usage) => `delivery-evidence ${usage}`)
      .join("\n")}\n\`\`\``,
    `\`\`\`sh\n${examples.map((line) => `npx delivery-evidence ${line}`).join("\n")}\n\`\`\``,
    ...(details === undefined ? [] : [details.replaceAll("*", "\\*")]),
    ...(Object.keys(own).length === 0 ? [] : [table(own)]),
    ...(links === "" ? [] : [`Also takes the ${links}.`]),
    ...(statuses === undefined ? [] : [`Exit status: ${statuses}.`]),
  ].join("\n\n");
}

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}

function table(options: Options): string {
  const rows = Object.entries(options).map(
    ([name, option]) =>
      `| \`${optionText(name, option)}\` | ${describeOption(name, option).replaceAll(/[|*]/g, "\\$&")} |`,
  );
  return ["| Option | Description |", "| --- | --- |", ...rows].join("\n");
}
