import { readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";
import { asObject, asObjects } from "../../src/api/untyped.ts";

const INTEGRATIONS = new URL("../../integrations/", import.meta.url).pathname;

/** Commits of the jobs, one for each system, so that their trails differ. */
export const COMMITS = {
  gitlab: "a".repeat(40),
  azure: "b".repeat(40),
  circleci: "c".repeat(40),
  buildkite: "d".repeat(40),
  bitbucket: "e".repeat(40),
};

export type Command = "attest" | "gate" | "report";
export type Texts = Readonly<Record<string, string>>;

/** The start of a program by a CI system. */
export interface ShellCall {
  /** The shell and its options. */
  readonly shell: readonly [string, ...string[]];
  readonly script: string;
  readonly env: Texts;
}

/** A parameter of a wrapper. */
interface Parameter {
  /** Undefined if it is required. */
  readonly default: string | undefined;
  readonly choices: readonly string[] | undefined;
}

/** A CI system as far as it starts our wrappers. It fills in templates as the system does. */
export interface CiSystem {
  /** Variables that it sets for a push to `main` of `acme/web`. */
  readonly variables: Texts;
  parametersOf(command: Command): Readonly<Record<string, Parameter>>;
  /**
   * @param texts parameters by the names of the system
   * @throws for a parameter that the wrapper does not have, and for a missing one
   */
  call(command: Command, texts: Texts, environment: Texts): ShellCall;
}

function read(path: string): string {
  return readFileSync(INTEGRATIONS + path, "utf8");
}

function asTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, text]) => [name, String(text)]));
}

function parameter({ default: otherwise, ...rest }: Readonly<Record<string, unknown>>): Parameter {
  const choices = rest["options"] ?? rest["values"] ?? rest["enum"];
  return {
    default: otherwise === undefined ? undefined : String(otherwise),
    choices: Array.isArray(choices) ? choices.map(String) : undefined,
  };
}

/** The values of all parameters. */
function filledIn(parameters: Readonly<Record<string, Parameter>>, texts: Texts): Record<string, string> {
  const unknown = Object.keys(texts).filter((name) => !(name in parameters));
  if (unknown.length > 0) throw new Error(`There is no parameter ${unknown}`);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { default: otherwise, choices }]) => {
      const text = texts[name] ?? otherwise;
      if (text === undefined) throw new Error(`The parameter ${name} is missing`);
      if (choices && !choices.includes(text)) throw new Error(`${text} is not allowed for ${name}`);
      return [name, text];
    }),
  );
}

/** Replaces expressions in the texts of parsed YAML, so that a value cannot change its structure. */
function interpolated(value: unknown, expression: RegExp, values: Texts): unknown {
  if (typeof value === "string")
    return value.replaceAll(expression, (_, name: string) => valueIn(values, name));
  if (Array.isArray(value)) return value.map((item) => interpolated(item, expression, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      String(interpolated(key, expression, values)),
      interpolated(item, expression, values),
    ]),
  );
}

function valueIn(values: Texts, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`An expression names ${name}, which is no parameter`);
  return value;
}

function mapped(texts: Texts, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
}

const gitlab: CiSystem = {
  variables: {
    ...{ CI: "true", GITLAB_CI: "true", CI_COMMIT_SHA: COMMITS.gitlab, CI_COMMIT_BRANCH: "main" },
    ...{ CI_PROJECT_ID: "20", CI_PROJECT_PATH: "acme/web", CI_PROJECT_NAMESPACE: "acme" },
    CI_PROJECT_URL: "https://gitlab.example.com/acme/web",
    ...{ CI_PIPELINE_ID: "574", CI_JOB_URL: "https://gitlab.example.com/acme/web/-/jobs/302" },
    ...{ CI_COMMIT_MESSAGE: "Add a cart", CI_COMMIT_AUTHOR: "Kim <kim@example.com>" },
    CI_COMMIT_TIMESTAMP: "2026-11-27T01:00:00+00:00",
  },
  parametersOf(command) {
    const [header] = parseAllDocuments(read(`gitlab/templates/${command}/template.yml`));
    const { inputs } = asObject(asObject(header?.toJS())["spec"]);
    return Object.fromEntries(
      Object.entries(asObject(inputs)).map(([name, input]) => [name, parameter(asObject(input))]),
    );
  },
  call(command, texts, environment) {
    const [, jobs] = parseAllDocuments(read(`gitlab/templates/${command}/template.yml`));
    const values = filledIn(this.parametersOf(command), texts);
    const [job] = Object.values(
      asObject(interpolated(jobs?.toJS(), /\$\[\[ inputs\.([\w-]+) \]\]/g, values)),
    ).map(asObject);
    const expanded = (text: string) =>
      text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => environment[braced ?? plain] ?? "");
    // In place of a token, its audience.
    const tokens = Object.entries(asObject(job?.["id_tokens"])).map(([name, token]) => [
      name,
      String(asObject(token)["aud"]),
    ]);
    const env = mapped({ ...Object.fromEntries(tokens), ...asTexts(job?.["variables"]) }, expanded);
    return { shell: ["sh", "-ec"], script: [job?.["script"]].flat().join("\n"), env };
  },
};

const azure: CiSystem = {
  variables: {
    ...{ TF_BUILD: "True", BUILD_SOURCEVERSION: COMMITS.azure, BUILD_SOURCEBRANCH: "refs/heads/main" },
    ...{ BUILD_REPOSITORY_NAME: "web", BUILD_REPOSITORY_PROVIDER: "TfsGit" },
    ...{ BUILD_REPOSITORY_URI: "https://dev.azure.com/acme/shop/_git/web", BUILD_BUILDID: "5" },
    // Only steps that map it get the token.
    SYSTEM_ACCESSTOKEN: "",
    ...{ SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/", SYSTEM_TEAMPROJECT: "shop" },
    BUILD_SOURCEVERSIONMESSAGE: "Add a cart",
  },
  parametersOf(command) {
    const { parameters } = asObject(parse(read(`azure/${command}.yml`)));
    return Object.fromEntries(
      asObjects(parameters).map(({ name, ...rest }) => [String(name), parameter(rest)]),
    );
  },
  call(command, texts, environment) {
    const { steps } = asObject(parse(read(`azure/${command}.yml`)));
    const values = filledIn(this.parametersOf(command), texts);
    const step = asObject(
      interpolated(asObjects(steps).at(-1), /\$\{\{ (?:if ne\()?parameters\.(\w+)(?:, ''\))? \}\}/g, values),
    );
    // A macro of an unknown variable remains.
    const env = mapped(asTexts(step["env"]), (text) =>
      text.replaceAll(
        /\$\(([\w.]+)\)/g,
        (macro, name: string) => environment[name.toUpperCase().replaceAll(".", "_")] ?? macro,
      ),
    );
    return { shell: ["bash", "--noprofile", "--norc", "-c"], script: String(step["script"]), env };
  },
};

const circleci: CiSystem = {
  variables: {
    ...{ CIRCLECI: "true", CIRCLE_SHA1: COMMITS.circleci, CIRCLE_BRANCH: "main" },
    CIRCLE_REPOSITORY_URL: "git@github.com:acme/web.git",
    CIRCLE_WORKFLOW_ID: "2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d6e",
    CIRCLE_BUILD_URL: "https://circleci.com/gh/acme/web/5",
  },
  parametersOf: (command) => {
    const { parameters } = orbCommand(command);
    return Object.fromEntries(
      Object.entries(asObject(parameters)).map(([name, each]) => [name, parameter(asObject(each))]),
    );
  },
  call(command, texts) {
    const [step] = asObjects(orbCommand(command)["steps"]);
    const values = filledIn(this.parametersOf(command), texts);
    const run = asObject(interpolated(step?.["run"], /<< parameters\.([\w-]+) >>/g, values));
    // It expands no variables in an environment.
    return {
      ...{ shell: ["bash", "-eo", "pipefail", "-c"], script: String(run["command"]) },
      env: asTexts(run["environment"]),
    };
  },
};

function orbCommand(command: Command): Readonly<Record<string, unknown>> {
  return asObject(asObject(asObject(parse(read("circleci/orb.yml")))["commands"])[command]);
}

const PLUGIN = "evidence-buildkite-plugin";

const buildkite: CiSystem = {
  variables: {
    ...{
      BUILDKITE: "true",
      BUILDKITE_COMMIT: COMMITS.buildkite,
      BUILDKITE_BRANCH: "main",
      BUILDKITE_PULL_REQUEST: "false",
    },
    ...{ BUILDKITE_REPO: "git@github.com:acme/web.git", BUILDKITE_PIPELINE_PROVIDER: "github" },
    ...{ BUILDKITE_BUILD_ID: "0184990a-477b-4fa8-9968-496074483cee", BUILDKITE_RETRY_COUNT: "0" },
    BUILDKITE_BUILD_URL: "https://buildkite.com/acme-inc/web/builds/5",
  },
  parametersOf() {
    const { properties, required } = asObject(asObject(parse(read(`${PLUGIN}/plugin.yml`)))["configuration"]);
    return Object.fromEntries(
      Object.entries(asObject(properties)).map(([name, each]) => {
        const otherwise = [required].flat().includes(name) ? {} : { default: "" };
        return [name, parameter({ ...asObject(each), ...otherwise })];
      }),
    );
  },
  call(command, texts) {
    filledIn(this.parametersOf(command), texts);
    const hook = command === "gate" ? "pre-command" : "post-command";
    const env = Object.entries(texts).map(([name, text]) => [
      `BUILDKITE_PLUGIN_EVIDENCE_${name.toUpperCase().replaceAll(/[-\s]/g, "_")}`,
      text,
    ]);
    return {
      ...{ shell: ["bash", "-c"], script: `. '${INTEGRATIONS}${PLUGIN}/hooks/${hook}'` },
      env: Object.fromEntries(env),
    };
  },
};

const bitbucket: CiSystem = {
  variables: {
    ...{
      CI: "true",
      BITBUCKET_BUILD_NUMBER: "5",
      BITBUCKET_COMMIT: COMMITS.bitbucket,
      BITBUCKET_BRANCH: "main",
    },
    ...{
      BITBUCKET_REPO_FULL_NAME: "acme/web",
      BITBUCKET_REPO_UUID: "{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}",
    },
  },
  parametersOf() {
    const { variables } = asObject(parse(read("bitbucket/pipe.yml")));
    return Object.fromEntries(
      asObjects(variables).map(({ name, ...rest }) => [String(name), parameter(rest)]),
    );
  },
  call(_, texts, environment) {
    const variables = mapped(texts, (text) =>
      text.replaceAll(/\$(\w+)/g, (_, name: string) => environment[name] ?? ""),
    );
    return { shell: ["sh", "-c"], script: `. '${INTEGRATIONS}bitbucket/pipe.sh'`, env: variables };
  },
};

export const CI_SYSTEMS = { gitlab, azure, circleci, buildkite, bitbucket } satisfies Record<
  string,
  CiSystem
>;
export type CiName = keyof typeof CI_SYSTEMS;
export const CI_NAMES = Object.keys(CI_SYSTEMS) as CiName[];
