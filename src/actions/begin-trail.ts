import { ApiError } from "../api/client/errors.ts";
import type { FileToSend } from "../api/operation.ts";
import { createFlowWithTemplate } from "../api/resources/flows.ts";
import { beginTrail as beginTrailOperation } from "../api/resources/trails.ts";
import { type ActionContext, defineAction, type Outcome } from "../github/step/action.ts";
import { choice, required, text, type ValuesOf } from "../github/step/input.ts";
import { trailUrl } from "./links.ts";
import { describeOrigin, originInputs, trailOf } from "./origin.ts";

const inputs = {
  flow: required({ description: "The flow.", fallback: "EVIDENCE_FLOW" }),
  trail: text({
    description: "The trail to begin or update; the commit unless given.",
    fallback: "EVIDENCE_TRAIL",
  }),
  "template-file": text({
    description: "The path of a template for this trail alone, in place of the flow's.",
  }),
  "flow-template-file": text({
    description:
      "The path of the flow's template. With it, `flow-description` or `visibility`, the flow is created or updated first.",
  }),
  "flow-description": text({ description: "What people should know of the flow." }),
  visibility: choice({
    choices: ["public", "private"],
    description: "Who may see the flow; `private` unless given.",
  }),
  ...originInputs,
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  trail: "The name of the trail.",
  created: "`true` when the trail is new, `false` when it was updated; empty in a dry run.",
  "trail-url": "The trail's page.",
};

type Result = Outcome<keyof typeof outputs>;

export const beginTrail = defineAction({
  name: "begin-trail",
  title: "Begin an evidence trail",
  description: "Begin a trail in a flow, or update it; create or update the flow first if asked to.",
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
  const trail = trailOf(values.trail, origin);
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
      throw explained(await withTemplateLines(error, templateFile, "template-file"), values);
    });
  const url = trailUrl(context.connection, values.flow, trail);
  const commit = origin.gitCommitInfo;
  const created = reply === undefined ? "" : String(reply.status === 201);
  if (reply)
    context.info(
      `Trail '${trail}' of flow '${values.flow}' was ${reply.status === 201 ? "begun" : "updated"}.`,
    );
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
  if (reply) context.info(`Flow '${flow}' was ${reply.status === 201 ? "created" : "updated"}.`);
}

async function templateOf(path: string | undefined, input: string, { runner }: ActionContext) {
  if (path === undefined) return undefined;
  const { openFileToSend } = await import("../evidence/file-to-send.ts");
  const workspace = runner.workspace ?? process.cwd();
  return openFileToSend(path, { input, workspace, type: "application/yaml" });
}

/** Loaded only for a refused template. */
async function withTemplateLines(error: unknown, template: FileToSend | undefined, input: string) {
  if (template === undefined) return error;
  const { withLines } = await import("./template-fault.ts");
  return withLines(error, template, input);
}

/** Adds what would create the missing flow. */
function explained(error: unknown, { flow }: Values): unknown {
  if (!(error instanceof ApiError && error.missing)) return error;
  return error.explained({
    advice: `If the flow '${flow}' is to be created, give flow-template-file or flow-description.`,
  });
}
