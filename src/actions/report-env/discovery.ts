import { InputError } from "../../api/client/errors.ts";
import { listEnvironments } from "../../api/resources/environments.ts";
import { checkedRegion } from "../../clouds/aws/aws.ts";
import {
  accountOf,
  discoverRegion,
  type Part,
  type RegionContent,
  type Resource,
} from "../../clouds/aws/discover.ts";
import { regionOf } from "../../clouds/aws/variables.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { FailedPart } from "./several.ts";
import type { EnvironmentType, Target, TargetValues } from "./target.ts";
import { readAws } from "./types/aws.ts";

/** Tag of a resource that is not reported. */
const IGNORE = "evidence:ignore";
/** Tag with the name of a resource's environment. An empty name means the template. */
const NAME = "evidence:environment";
const PLACEHOLDERS = ["account", "region", "type", "name"];
/** Longest name of an environment. */
const MAX_NAME = 255;

/** Discovered environments, and the parts of the account that could not be read. */
interface Discovered {
  readonly targets: Target[];
  readonly failed: FailedPart[];
}

/** A target and its resource, for messages: `ECS cluster 'shop' in eu-central-1`. */
interface Candidate {
  readonly target: Target;
  readonly resource: string;
}

type AwsType = "ECS" | "lambda" | "S3";

/**
 * The environments of an AWS account: ECS clusters, the functions of each region, and buckets with the tag
 * `evidence:environment`. Gone ones that an earlier discovery has created are reported empty.
 *
 * @throws InputError for a wrong template or region, if the login is refused, or if there is nothing
 */
export async function discoverAws(
  template: string,
  values: TargetValues,
  context: ActionContext,
): Promise<Discovered> {
  checkTemplate(template);
  const regions = regionsOf(values, context);
  const login = (awsRegion: string) => ({ awsRegion, awsRole: values.awsRole });
  const [first = ""] = regions;
  const account = await readAws(login(first), context, accountOf);
  const contents = await Promise.all(
    regions.map((region) => readAws(login(region), context, discoverRegion)),
  );
  const naming = { account, template, values };
  const found = contents.map((content) => candidatesOf(content, naming));
  const { targets, collisions } = separate(found.flatMap(({ candidates }) => candidates));
  const kept = new Set(
    found.flatMap(({ candidates, ignored }) => [
      ...candidates.map(({ target }) => target.environment),
      ...ignored,
    ]),
  );
  const gone = await goneEnvironments(contents, naming, kept, context);
  const failed = [...contents.flatMap(failedParts), ...collisions];
  if (targets.length + gone.length + failed.length === 0) {
    const problem = `found nothing to report in the account ${account} in ${regions.join(", ")}`;
    const advice = `Check aws-region and aws-role. A bucket needs the tag ${NAME}.`;
    throw new InputError([{ input: "discover", code: "snapshot.empty", problem }], { advice });
  }
  return { targets: [...targets, ...gone], failed };
}

function checkTemplate(template: string): void {
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].filter(
    ([, name = ""]) => !PLACEHOLDERS.includes(name),
  );
  const problem =
    unknown.length > 0
      ? `has ${unknown.map(([text]) => text).join(", ")}; known are ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`
      : "must contain {name}, so that each environment has its own name";
  if (unknown.length > 0 || !template.includes("{name}"))
    throw new InputError([{ input: "environment-template", problem }]);
}

function regionsOf({ awsRegion }: TargetValues, { runner }: ActionContext): string[] {
  const listed = (awsRegion ?? regionOf(runner.childEnv) ?? "").split(/[\s,]+/).filter(Boolean);
  return listed.length === 0 ? [checkedRegion(undefined)] : [...new Set(listed.map(checkedRegion))];
}

interface Naming {
  readonly account: string;
  readonly template: string;
  readonly values: TargetValues;
}

function candidatesOf(
  content: RegionContent,
  naming: Naming,
): { candidates: Candidate[]; ignored: string[] } {
  const { region } = content;
  const candidates: Candidate[] = [];
  const ignored: string[] = [];
  const nameOf = (type: AwsType, { name, tags }: Resource) => {
    const given = tags.get(NAME);
    return validName(
      given || filled(naming.template, { account: naming.account, region, type: type.toLowerCase(), name }),
    );
  };
  const add = (type: AwsType, resource: Resource, label: string, own: Partial<Target>) => {
    const environment = nameOf(type, resource);
    if (resource.tags.has(IGNORE)) {
      ignored.push(environment);
      return;
    }
    const target = {
      ...naming.values,
      ...{ type, environment, awsRegion: region, description: descriptionOf(region, naming) },
      ...{ createEnvironment: true, allowEmpty: true },
      ...own,
    };
    candidates.push({ target, resource: `${label} in ${region}` });
  };

  for (const cluster of foundIn(content.clusters) ?? [])
    add("ECS", cluster, `ECS cluster '${cluster.name}'`, { include: [cluster.name] });
  for (const bucket of (foundIn(content.buckets) ?? []).filter(({ tags }) => tags.has(NAME)))
    add("S3", bucket, `S3 bucket '${bucket.name}'`, { bucket: bucket.name });
  const functions = foundIn(content.functions);
  if (functions?.isEmpty === false) {
    const apart = functions.tagged.filter(({ tags }) => tags.has(IGNORE) || tags.get(NAME));
    const exclude = apart.map(({ name }) => name);
    add("lambda", { name: region, tags: new Map() }, "Lambda functions", { exclude });
    const named = apart.filter(({ tags }) => !tags.has(IGNORE));
    for (const [name = "", group] of Map.groupBy(named, ({ tags }) => tags.get(NAME))) {
      const include = group.map((each) => each.name);
      add("lambda", { name, tags: new Map([[NAME, name]]) }, `Lambda functions tagged '${name}'`, {
        include,
      });
    }
  }
  return { candidates, ignored };
}

function foundIn<T>(part: Part<T>): T | undefined {
  return "found" in part ? part.found : undefined;
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

/** A name that the interface accepts: it begins with a letter or digit. */
function validName(text: string): string {
  const name = text.replace(/[^a-zA-Z0-9._-]+/g, "-").replace(/^[^a-zA-Z0-9]+/, "");
  return name.slice(0, MAX_NAME) || "unnamed";
}

/** Marks an environment as made by this discovery, so that only this one reports it empty. */
function descriptionOf(region: string, { account, template }: Naming): string {
  return `Discovered in AWS account ${account}, ${region}, as ${template}`;
}

/** Environments with one resource each. Two reports to one would seem to replace each other. */
function separate(candidates: readonly Candidate[]): { targets: Target[]; collisions: FailedPart[] } {
  const targets: Target[] = [];
  const collisions: FailedPart[] = [];
  for (const [environment, same] of Map.groupBy(candidates, ({ target }) => target.environment)) {
    const [only] = same;
    if (only !== undefined && same.length === 1) targets.push(only.target);
    else {
      const resources = same.map(({ resource }) => resource).join(" and ");
      const advice = `Give one of them another name with the tag ${NAME}, or use {region} in environment-template.`;
      collisions.push({
        part: resources,
        error: `'${environment}' would be the environment of all of them\n${advice}`,
      });
    }
  }
  return { targets, collisions };
}

/** Environments of this discovery that nothing belongs to anymore, in parts that could be read. */
async function goneEnvironments(
  contents: readonly RegionContent[],
  naming: Naming,
  kept: ReadonlySet<string>,
  context: ActionContext,
): Promise<Target[]> {
  const types: AwsType[] = ["ECS", "lambda", "S3"];
  const reply = await context.call(listEnvironments, { type: types });
  if (reply === undefined) return [];
  const known = Array.isArray(reply.body) ? reply.body : reply.body.environments;
  const read = new Map<string, EnvironmentType[]>();
  for (const { region, clusters, functions, buckets } of contents) {
    const parts = { ECS: clusters, lambda: functions, S3: buckets };
    read.set(
      descriptionOf(region, naming),
      types.filter((type) => "found" in parts[type]),
    );
  }
  return known.flatMap(({ name: environment, type: itsType, description }) => {
    const type = read.get(description ?? "")?.find((each) => each === itsType);
    if (type === undefined || kept.has(environment)) return [];
    return [{ ...naming.values, type, environment, allowEmpty: true, isGone: true as const }];
  });
}

function failedParts({ region, clusters, functions, buckets }: RegionContent): FailedPart[] {
  const parts = Object.entries({ ECS: clusters, Lambda: functions, S3: buckets }).flatMap(([name, part]) =>
    "error" in part ? [{ name, error: part.error }] : [],
  );
  return [...Map.groupBy(parts, ({ error }) => error)].map(([error, same]) => ({
    part: `${same.map(({ name }) => name).join(", ")} in ${region}`,
    error,
  }));
}
