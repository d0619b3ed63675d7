import type { PageRequest } from "../page.ts";
import type { HowTo } from "../parts/how-to.ts";
import { workflowStep } from "../parts/workflow-step.ts";

/** What the action needs beside the environment, by the types of which it reads what runs. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  K8S: { type: "k8s" },
  docker: { type: "docker" },
  server: { type: "server", paths: "/opt/app" },
};

/** How what runs is reported: by the action where it can, else by the operation of the type. */
export function reportStep(
  { name, type }: { readonly name: string; readonly type: string },
  request: Pick<PageRequest, "org" | "to">,
): HowTo {
  const inputs = INPUTS[type];
  const title = "Report what runs";
  if (type === "logical") {
    return {
      title: "Add an environment to this one",
      code: `delivery-evidence call joinEnvironment env_name=${name} --body - <<'END'\n{ "physical_env_name": "prod" }\nEND`,
    };
  }
  if (inputs === undefined) return { title, code: `delivery-evidence call --list | grep -i report` };
  return { title, code: workflowStep("report-env", { environment: name, ...inputs }, request) };
}
