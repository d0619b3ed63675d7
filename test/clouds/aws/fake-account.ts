import { credentialsXml, type FakeAnswer, type FakeRequest } from "./fake-aws.ts";
import { bucketOf, type Content } from "./fake-bucket.ts";
import { DIGEST, ecsOf, type FakeTask } from "./fake-ecs.ts";

/** Credentials of a role that is assumed. */
export const SESSION = {
  accessKeyId: "ASIASESSION",
  secretAccessKey: "of-the-session",
  sessionToken: "session+/=",
};

/** Content of an account. Requests of a service in `broken` are refused. */
export interface Account {
  tasks: readonly FakeTask[];
  functions: readonly string[];
  content: Content;
  tags: Record<string, Record<string, string>>;
  broken: string[];
}

/** Answers for all services that the types of AWS and discovery ask. */
export function answerOf(account: Account, request: FakeRequest): FakeAnswer {
  const { service, operation, query } = request;
  if (account.broken.includes(service))
    return { status: 400, body: { __type: "AccessDeniedException", message: `no ${service}` } };
  if (service === "") return { body: credentialsXml(SESSION) };
  if (service === "sts")
    return { body: "<GetCallerIdentityResponse><Account>123456789012</Account></GetCallerIdentityResponse>" };
  if (service === "ecs") return ecsOf(account.tasks)(request);
  if (service === "s3") return bucketOf(account.content)(request);
  if (operation === "GetResources")
    return {
      body: {
        ResourceTagMappingList: Object.entries(account.tags).map(([ResourceARN, tags]) => ({
          ResourceARN,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        })),
        PaginationToken: "",
      },
    };
  const CodeSha256 = Buffer.from(DIGEST, "hex").toString("base64");
  const LastModified = "2026-01-02T03:04:05.000+0000";
  const Functions = account.functions
    .slice(0, Number(query.get("MaxItems")))
    .map((FunctionName) => ({ FunctionName, CodeSha256, LastModified }));
  return { body: { Functions } };
}
