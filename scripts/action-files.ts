import { stringify } from "yaml";
import { type Action, allInputs } from "../src/github/action.ts";

/** The composite action of a definition, as the text of its `action.yml`. */
export function actionYaml(action: Action): string {
  const document = {
    name: action.title,
    description: action.description,
    author: "Delivery Evidence",
    inputs: Object.fromEntries(
      Object.entries(allInputs(action)).map(([name, input]) => [
        name,
        {
          description: input.description,
          required: input.required && input.fallback === undefined,
          // With a fallback the default must not hide the variable.
          ...(input.default !== undefined && input.fallback === undefined && { default: input.default }),
        },
      ]),
    ),
    outputs: Object.fromEntries(
      Object.entries(action.outputs).map(([name, description]) => [
        name,
        { description, value: `\${{ steps.run.outputs.${name} }}` },
      ]),
    ),
    runs: {
      using: "composite",
      steps: [
        {
          id: "run",
          shell: "bash",
          env: { INPUTS: "${{ toJSON(inputs) }}" },
          // exec, so that the program gets the signal when the job is cancelled.
          run: `exec "$GITHUB_ACTION_PATH/../launch.sh" ${action.name}`,
        },
      ],
    },
  };
  const header = `# Generated from src/actions/${action.name}.ts by "npm run generate".\n`;
  return header + stringify(document, { lineWidth: 0 });
}

/** The tables of an action's README, by the name of the marker they stand behind. */
export function readmeTables(action: Action): Record<"inputs" | "outputs", string> {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const inputs = Object.entries(allInputs(action)).map(([name, input]) => {
    const fallback = input.fallback ? ` Or the variable \`${input.fallback}\`.` : "";
    const value = input.default !== undefined ? `\`${input.default}\`` : input.required ? "**required**" : "";
    return `| \`${name}\` | ${cell(input.type)} | ${cell(input.description)}${fallback} | ${cell(value)} |`;
  });
  const outputs = Object.entries(action.outputs).map(([name, text]) => `| \`${name}\` | ${cell(text)} |`);
  return {
    inputs: ["| Input | Type | What it is | Default |", "| --- | --- | --- | --- |", ...inputs].join("\n"),
    outputs: ["| Output | What it holds |", "| --- | --- |", ...outputs].join("\n"),
  };
}

/**
 * Puts tables between their markers (`<!-- inputs -->` … `<!-- /inputs -->`).
 *
 * @throws {Error} when a marker is missing: the table would silently stay old
 */
export function withTables(readme: string, tables: Readonly<Record<string, string>>): string {
  let text = readme;
  for (const [name, table] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`The README has no markers ${begin} and ${end}`);
    text = `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`;
  }
  return text;
}
