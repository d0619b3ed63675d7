import { isEvidenceError } from "../../api/client/errors.ts";
import { asObjects, asText } from "../../api/untyped.ts";
import { objectIn, strangeAnswer } from "../answers.ts";
import { pagesOf } from "../pages.ts";
import { xmlTexts } from "../xml-texts.ts";
import type { Aws } from "./aws.ts";
import { clusterNames } from "./ecs.ts";
import { hasFunctions } from "./lambda.ts";

/** Tags by key. */
type Tags = ReadonlyMap<string, string>;

/** A resource that can be an environment, or a function that is part of one. */
export interface Resource {
  readonly name: string;
  readonly tags: Tags;
}

/** Result of a request, or the reason of its failure. */
export type Part<T> = { readonly found: T } | { readonly error: string };

export interface RegionContent {
  readonly region: string;
  readonly clusters: Part<readonly Resource[]>;
  /** All functions that have tags, and whether there is none at all. */
  readonly functions: Part<{ readonly tagged: readonly Resource[]; readonly isEmpty: boolean }>;
  /** All buckets that have tags. */
  readonly buckets: Part<readonly Resource[]>;
}

const TYPES = ["ecs:cluster", "lambda:function", "s3"];
/** Beginnings of ARNs after the account, by kind. */
const CLUSTER = /^arn:[^:]+:ecs:[^:]*:[^:]*:cluster\/(.+)$/;
const FUNCTION = /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:]+)$/;
const BUCKET = /^arn:[^:]+:s3:::([^/]+)$/;

/** The account of the login. It needs no right. */
export async function accountOf(aws: Aws): Promise<string> {
  const form = { Action: "GetCallerIdentity", Version: "2011-06-15" };
  const request = { service: "sts", right: "sts:GetCallerIdentity", method: "POST", form } as const;
  const { bytes } = await aws.ask(request);
  const account = xmlTexts(bytes.toString()).get("Account")?.[0];
  if (account === undefined || !/^\d+$/.test(account)) throw strangeAnswer("Amazon sts returned no account");
  return account;
}

/** Reads the resources of a region. Without the tags nothing is known, because a resource may ask to be ignored. */
export async function discoverRegion(aws: Aws): Promise<RegionContent> {
  const { region } = aws;
  const [tags, clusters, functions] = await Promise.all([
    part(tagsByArn(aws)),
    part(clusterNames(aws)),
    part(hasFunctions(aws)),
  ]);
  if ("error" in tags) return { region, clusters: tags, functions: tags, buckets: tags };
  const tagged = (kind: RegExp) =>
    [...tags.found].flatMap(([arn, own]) => {
      const name = kind.exec(arn)?.[1];
      return name === undefined ? [] : [{ name, tags: own }];
    });
  const ofClusters = new Map(tagged(CLUSTER).map((cluster) => [cluster.name, cluster.tags]));
  const withTags = (name: string) => ({ name, tags: ofClusters.get(name) ?? new Map() });
  return {
    region,
    clusters: "error" in clusters ? clusters : { found: clusters.found.map(withTags) },
    functions:
      "error" in functions ? functions : { found: { tagged: tagged(FUNCTION), isEmpty: !functions.found } },
    buckets: { found: tagged(BUCKET) },
  };
}

/** An error that a user can see is the result of one part and does not hold up the others. */
function part<T>(work: Promise<T>): Promise<Part<T>> {
  return work.then(
    (found) => ({ found }),
    (error: unknown) => {
      if (!isEvidenceError(error)) throw error;
      return { error: [error.message, ...error.details, error.advice].filter(Boolean).join("\n") };
    },
  );
}

async function tagsByArn(aws: Aws): Promise<Map<string, Tags>> {
  const found = new Map<string, Tags>();
  const target = "ResourceGroupsTaggingAPI_20170126.GetResources";
  for await (const { resources } of pagesOf(async (PaginationToken) => {
    const answer = await aws.ask({
      ...{ service: "tagging", right: "tag:GetResources", method: "POST" },
      headers: { "x-amz-target": target },
      json: {
        ResourceTypeFilters: TYPES,
        ResourcesPerPage: 100,
        ...(PaginationToken && { PaginationToken }),
      },
    });
    const { ResourceTagMappingList: list, PaginationToken: next } = objectIn(answer);
    if (!Array.isArray(list)) throw strangeAnswer("Amazon tagging returned no list of resources");
    return { resources: asObjects(list), next: asText(next) };
  })) {
    for (const { ResourceARN, Tags } of resources) {
      const tags = asObjects(Tags).map(({ Key, Value }) => [asText(Key), asText(Value)] as const);
      found.set(asText(ResourceARN), new Map(tags));
    }
  }
  return found;
}
