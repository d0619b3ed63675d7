import type { FileToSend } from "../api/files.ts";
import { createFlowWithTemplate } from "../api/resources/flows.ts";
import { beginTrail as beginTrailOperation } from "../api/resources/trails.ts";
import { type ActionContext, defineAction, type Outcome } from "../github/step/action.ts";
import { choice, required, text, type ValuesOf } from "../github/step/input.ts";
import { trailUrl } from "./links.ts";
import { adviseMissing } from "./missing-advice.ts";
import { describeOrigin, originInputs, trailOf } from "./origin.ts";

const inputs = {
  flow: required({ description: "Name of the flow.", fallback: "EVIDENCE_FLOW" }),
  trail: text({
    description: "Name of the trail to begin or update. Default: the commit.",
    fallback: "EVIDENCE_TRAIL",
  }),
  "template-file": text({
    description: "Path of a template for this trail only, instead of the flow's template.",
  }),
  "flow-template-file": text({
    description:
      "Path of the flow's template. If this, `flow-description` or `visibility` is set, the flow is first created or updated.",
  }),
  "flow-description": text({ description: "Description of the flow." }),
  visibility: choice({
    choices: ["public", "private"],
    description: "Visibility of the flow. Default: `private`.",
  }),
  ...originInputs,
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  trail: "Name of the trail.",
  created: "`true` if the trail is new, `false` if it was updated; empty in a dry run.",
  "trail-url": "Address of the trail's page.",
};

type Result = Outcome<keyof typeof outputs>;

export const beginTrail = defineAction({
  name: "begin-trail",
  title: "Begin an evidence trail",
  description:
    "Begins or updates a trail in a flow. Creates or updates the flow first, if you set its inputs.",
  inputs,
  outputs,
  fields: { flow_name: "flow", git_commit_info: "commit", data_json: "user-data" },
  run,
});

async function run(values: Values, context: ActionContext): Promise<Result> {
  const [origin, templateFile, flowTemplateFile] = await Promise.all([
    describeOrigin(values, context),
    templateOf(values.templateFile, "template-file", context),
    templateOf(values.flowTemplateFile, "flow-template-file", context),
  ]);
  const trail = trailOf(values.trail, origin, context.runner);
  await putFlow(values, flowTemplateFile, context);
  const reply = await context
    .call(
      beginTrailOperation,
      {
        flowName: values.flow,
        body: { name: trail, ...origin },
        files: { ...(templateFile && { templateFile }) },
      },
      { fields: { name: "trail" } },
    )
    .catch(async (error: unknown) => {
      const located = await withTemplateLines(error, templateFile, "template-file");
      const advice = `To create the flow '${values.flow}', set flow-template-file or flow-description.`;
      throw adviseMissing(located, advice);
    });
  const url = trailUrl(context.connection, values.flow, trail);
  const commit = origin.gitCommitInfo;
  const created = reply === undefined ? "" : String(reply.status === 201);
  if (reply)
    context.info(`${reply.status === 201 ? "Began" : "Updated"} trail '${trail}' of flow '${values.flow}'.`);
  return {
    outputs: { trail, created, "trail-url": url },
    summary: {
      heading: `Trail ${trail}`,
      rows: [
        ["Flow", values.flow],
        ["Trail", trail],
        ["Created", created],
        ["Commit", commit ? { text: commit.sha1, url: commit.url ?? undefined } : ""],
      ],
      link: { text: "Open the trail", url },
    },
    ...(reply && { laterTables: () => checklistTables(values.flow, trail, context) }),
  };
}

async function checklistTables(flow: string, trail: string, context: ActionContext) {
  const { readChecklistTables } = await import("./trail-checklist.ts");
  return readChecklistTables({ flow, trail }, context);
}

async function putFlow(
  { flow, flowDescription, visibility }: Values,
  templateFile: FileToSend | undefined,
  context: ActionContext,
): Promise<void> {
  if (!templateFile && flowDescription === undefined && visibility === undefined) return;
  const reply = await context
    .call(
      createFlowWithTemplate,
      {
        body: { name: flow, description: flowDescription ?? "", ...(visibility && { visibility }) },
        files: { ...(templateFile && { templateFile }) },
      },
      { fields: { name: "flow", description: "flow-description", template_file: "flow-template-file" } },
    )
    .catch(async (error: unknown) => {
      throw await withTemplateLines(error, templateFile, "flow-template-file");
    });
  if (reply) context.info(`${reply.status === 201 ? "Created" : "Updated"} flow '${flow}'.`);
}

async function templateOf(path: string | undefined, input: string, { runner }: ActionContext) {
  if (path === undefined) return undefined;
  const { openFileToSend } = await import("../evidence/file-to-send.ts");
  const workspace = runner.workspace ?? process.cwd();
  return openFileToSend(path, { input, workspace, type: "application/yaml" });
}

/** The module is loaded only for a refused template. */
async function withTemplateLines(error: unknown, template: FileToSend | undefined, input: string) {
  if (template === undefined) return error;
  const { withLines } = await import("./template-fault.ts");
  return withLines(error, template, input);
}
