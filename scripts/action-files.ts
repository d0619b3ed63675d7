import { Document, isScalar } from "yaml";
import { type Action, allInputs } from "../src/github/step/action.ts";
import type { Inputs } from "../src/github/step/input.ts";
import type { OpenApiDocument } from "./openapi/document.ts";

/** The composite action of a definition, as the text of its `action.yml`. */
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
          // exec, so that the program gets the signal when the job is cancelled.
          run: `exec "$GITHUB_ACTION_PATH/../launch.sh" ${action.name}`,
        },
        ...("spool-artifact" in action.outputs ? [UPLOAD_SPOOL] : []),
      ],
    },
  };
  return written(action, document);
}

/** Pinned by its commit; the version is for people, and for what updates pins. */
const UPLOAD_ARTIFACT = { commit: "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a", version: "v7.0.1" };

/**
 * What was spooled would be gone with the job. A step of which a part failed has spooled the rest all the same, so the
 * output decides and not the status. Both come from the step: `runner.temp` is wrong in a job's container.
 * GitHub Enterprise Server takes no artifacts of version 4 and later: there this fails, and so nothing is lost unseen.
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

/** What the Marketplace shows: an icon of Feather 4.28 on one of nine colors. */
const BRANDING = { icon: "check-circle", color: "green" };

/** The action at the top of the repository: Node runs its bundle without a shell in between. */
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
          // With a fallback the default must not hide the variable.
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

/** Every operation of the interface, for those who call one by its name. */
/** A section for each group of operations. */
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

/** What most readers of a page need of its inputs, in the order of their task: these stand in a table of their own. */
const MOST_NEED: Readonly<Record<string, readonly string[]>> = {
  attest: ["kind", "name", "artifact", "fingerprint", "test-results", "scan-results", "attachments"],
};

/** The tables of an action's README, by the name of the marker they stand behind. */
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
