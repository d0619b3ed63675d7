import { Document, isScalar } from "yaml";
import { type Action, allInputs } from "../src/github/step/action.ts";
import type { Inputs } from "../src/github/step/input.ts";
import type { OpenApiDocument } from "./openapi/document.ts";

/** The `action.yml` of a definition's composite action. */
export function actionYaml(action: Action): string {
  const document = {
    ...described(action),
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
          // exec, so that the program gets the signal when the job is canceled.
          run: `exec "$GITHUB_ACTION_PATH/../launch.sh" ${action.name}`,
        },
        ...("spool-artifact" in action.outputs ? [UPLOAD_SPOOL] : []),
      ],
    },
  };
  return written(action, document);
}

/** Pinned by commit. The version is for readers and update tools. */
const UPLOAD_ARTIFACT = { commit: "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a", version: "v7.0.1" };

/**
 * Keeps spooled records, which would be lost with the job. The output decides and not the status,
 * because a step that failed partly may have spooled the rest. Both come from the step:
 * `runner.temp` is wrong in a job's container. GitHub Enterprise Server does not support artifacts
 * of version 4 and later: there the step fails, so that the loss is visible.
 */
const UPLOAD_SPOOL = {
  if: "${{ always() && steps.run.outputs.spool-artifact != '' }}",
  uses: `actions/upload-artifact@${UPLOAD_ARTIFACT.commit}`,
  with: {
    name: "${{ steps.run.outputs.spool-artifact }}",
    path: "${{ steps.run.outputs.spool-folder }}",
    "if-no-files-found": "error",
  },
};

/** Branding on the Marketplace: an icon of Feather 4.28 on one of nine colors. */
const BRANDING = { icon: "check-circle", color: "green" };

/** The action at the top of the repository. Node runs its bundle directly, without a shell. */
export function rootActionYaml(action: Action): string {
  return written(action, {
    ...described(action),
    outputs: Object.fromEntries(
      Object.entries(action.outputs).map(([name, description]) => [name, { description }]),
    ),
    branding: BRANDING,
    runs: { using: "node24", main: `dist/${action.name}/index.js` },
  });
}

function described(action: Action) {
  return {
    name: action.title,
    description: action.description,
    author: "Delivery Evidence",
    inputs: Object.fromEntries(
      Object.entries(allInputs(action)).map(([name, input]) => [
        name,
        {
          description: input.description,
          required: input.required && input.fallback === undefined,
          // With a fallback, a default would hide the variable.
          ...(input.default !== undefined && input.fallback === undefined && { default: input.default }),
        },
      ]),
    ),
  };
}

function written(action: Action, document: object): string {
  const header = `# Generated from src/actions/${action.name}.ts by "npm run generate".\n`;
  const yaml = new Document(document);
  const uses = yaml.getIn(["runs", "steps", 1, "uses"], true);
  if (isScalar(uses)) uses.comment = ` ${UPLOAD_ARTIFACT.version}`;
  return header + yaml.toString({ lineWidth: 0 });
}

/** A table for each group of operations, for users who call operations by name. */
export function operationTables({ tags, paths }: OpenApiDocument): string {
  const every = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const rows = every
      .filter((operation) => operation.tags.includes(name))
      .map(
        ({ operationId, method, path, summary }) =>
          `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` | ${cell(summary)} |`,
      );
    const table = ["| Operation | Method and path | Summary |", "| --- | --- | --- |", ...rows].join("\n");
    return `### ${name}\n\n${description}\n\n${table}`;
  });
  return sections.join("\n\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** The inputs that most readers need, in the order of their task. They get their own table. */
const MOST_NEED: Readonly<Record<string, readonly string[]>> = {
  attest: ["kind", "name", "artifact", "fingerprint", "test-results", "scan-results", "attachments"],
};

/** The tables of an action's README, by marker name. */
export function readmeTables(action: Action): Record<string, string> {
  const inputs = allInputs(action);
  const first = MOST_NEED[action.name];
  const outputs = Object.entries(action.outputs).map(([name, text]) => `| \`${name}\` | ${cell(text)} |`);
  return {
    inputs: inputTable(inputs, first ?? Object.keys(inputs)),
    ...(first && {
      "more-inputs": inputTable(
        inputs,
        Object.keys(inputs).filter((name) => !first.includes(name)),
      ),
    }),
    outputs: ["| Output | Description |", "| --- | --- |", ...outputs].join("\n"),
  };
}

function inputTable(inputs: Inputs, names: readonly string[]): string {
  const rows = names.map((name) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`There is no input ${name}`);
    const fallback = input.fallback ? ` Variable: \`${input.fallback}\`.` : "";
    const value = input.default !== undefined ? `\`${input.default}\`` : input.required ? "**required**" : "";
    return `| \`${name}\` | ${cell(input.type)} | ${cell(input.description)}${fallback} | ${cell(value)} |`;
  });
  return ["| Input | Type | Description | Default |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/**
 * Puts tables between their markers (`<!-- inputs -->` … `<!-- /inputs -->`).
 *
 * @throws {Error} when a marker is missing, because the table would silently become outdated
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
