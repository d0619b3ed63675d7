/* Commands that a CI system reads from the log. Loaded by each start of the command line, so it imports nothing. */

/** A message that a CI system shows beside the log. */
export type MessageKind = "error" | "warning";

type Environment = Readonly<Record<string, string | undefined>>;

/** A message in the form of the job's CI system. Systems without such messages get the text. */
export function messageFor(environment: Environment, text: string, kind: MessageKind): string {
  if (!isAzure(environment)) return text;
  return `##vso[task.logissue type=${kind}]${azureData(text.replace(/^(?:warning|delivery-evidence): /, ""))}`;
}

/**
 * Commands that pass outputs to later steps and jobs, one a line. Azure Pipelines shows them as `$(STEP.trail_url)`, if
 * the step has a name. Other systems read no outputs from the log.
 */
export function outputsFor(
  environment: Environment,
  outputs: Readonly<Record<string, string>>,
): readonly string[] {
  if (!isAzure(environment)) return [];
  return Object.entries(outputs).map(([name, value]) => {
    const variable = azureProperty(name.replaceAll("-", "_"));
    return `##vso[task.setvariable variable=${variable};isOutput=true]${azureData(value)}`;
  });
}

function isAzure(environment: Environment): boolean {
  return Boolean(environment["TF_BUILD"]);
}

function azureData(text: string): string {
  return text.replaceAll("%", "%AZP25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function azureProperty(text: string): string {
  return azureData(text).replaceAll("]", "%5D").replaceAll(";", "%3B");
}

/**
 * Escapes commands in untrusted text as JSON does, so that printed JSON stays the same. GitHub Actions and Azure
 * Pipelines find `##[…]` and `##vso[…]` anywhere in a line, and TeamCity `##teamcity[…]`. Azure ignores invisible
 * characters within. GitHub Actions also reads lines that begin with `::`.
 */
export function withoutCommands(text: string): string {
  return text
    .replace(/#\p{Cf}*#[\w\p{Cf}]*\[/gu, (command) => `${command.slice(0, -1)}\\u005b`)
    .replace(/^(\s*):(?=:)/gm, "$1\\u003a");
}
