import { list, text, token, type ValuesOf } from "../../github/step/input.ts";

/** Inputs for evidence stored in another service. */
export const remoteInputs = {
  "jira-url": text({
    description:
      "Address of your Jira. The issues that the commit, branch and pull requests name are looked up there.",
  }),
  "jira-user": text({ description: "Email address of the owner of `jira-token`, for Jira Cloud." }),
  "jira-token": token({ description: "API token; without `jira-user`, a personal access token." }),
  "jira-projects": list({ description: "Keys of the projects whose issues count. Default: all." }),
  "sonar-url": text({
    description: "Address of your Sonar. The analysis is read from it.",
  }),
  "sonar-token": token({ description: "Token that can read the project." }),
  "sonar-report": text({
    description: "Path of the scanner's `report-task.txt`. Default: the scanner's usual location.",
  }),
};

type RemoteValues = ValuesOf<typeof remoteInputs> & { readonly data: string | undefined };

const NAMES = Object.keys(remoteInputs);
const BESIDE_ADDRESS = NAMES.filter((name) => !name.endsWith("-url"));

const kindOf = (name: string) => (name.startsWith("jira") ? "jira" : "sonar");
/** Without `data`, a kind needs an address and a token. */
const needsOf = (kind: string) => ["url", "token"].map((part) => [`${kind}-${part}`, "data"]);

/** Rules for these inputs in the tables of all inputs. */
export const REMOTE = {
  usedBy: Object.fromEntries(NAMES.map((name) => [name, [kindOf(name)] as const])),
  needs: { jira: needsOf("jira"), sonar: needsOf("sonar") },
  excluding: [
    ["data", "jira-url"],
    ["data", "sonar-url"],
  ],
  ofUseWith: Object.fromEntries(BESIDE_ADDRESS.map((name) => [name, [`${kindOf(name)}-url`]])),
} as const;

type Remote = "jira" | "sonar";

export type RemoteEssentials<Kind extends Remote> = { readonly kind: Kind } & (
  | { readonly data: string }
  | ({ readonly data: undefined } & Readonly<Record<`${Kind}Url` | `${Kind}Token`, string>>)
);

/** Undefined without evidence and without a server to read it from. */
export function jiraEssentials(values: RemoteValues): RemoteEssentials<"jira"> | undefined {
  const { data, jiraUrl, jiraToken } = values;
  if (data !== undefined) return { kind: "jira", data };
  if (jiraUrl === undefined || jiraToken === undefined) return undefined;
  return { kind: "jira", data, jiraUrl, jiraToken };
}

export function sonarEssentials(values: RemoteValues): RemoteEssentials<"sonar"> | undefined {
  const { data, sonarUrl, sonarToken } = values;
  if (data !== undefined) return { kind: "sonar", data };
  if (sonarUrl === undefined || sonarToken === undefined) return undefined;
  return { kind: "sonar", data, sonarUrl, sonarToken };
}
