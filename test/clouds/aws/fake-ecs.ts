import type { FakeAnswer, FakeRequest } from "./fake-aws.ts";

export const DIGEST = "a".repeat(64);
export const ARN = "arn:aws:ecs:eu-central-1:123456789012";
export interface FakeTask {
  readonly id: string;
  readonly cluster: string;
  readonly group?: string;
  readonly more?: object;
}

export const web = (id: string, more: object = {}): FakeTask => ({
  id,
  cluster: "shop",
  group: "service:web",
  more,
});

/** The three operations on these tasks, in pages of 100; a task whose ID begins with `gone` ends after the list. */
export function ecsOf(tasks: readonly FakeTask[]) {
  const clusters = [...new Set(tasks.map(({ cluster }) => cluster))];
  const page = (items: readonly string[], { nextToken, maxResults }: FakeRequest["json"], field: string) => {
    const [from, size] = [Number(nextToken ?? 0), Number(maxResults)];
    const next = from + size < items.length ? { nextToken: String(from + size) } : {};
    return { body: { [field]: items.slice(from, from + size), ...next } };
  };
  const arnOf = ({ cluster, id }: FakeTask) => `${ARN}:task/${cluster}/${id}`;
  return ({ operation, json }: FakeRequest): FakeAnswer => {
    if (operation === "ListClusters")
      return page(
        clusters.map((name) => `${ARN}:cluster/${name}`),
        json,
        "clusterArns",
      );
    const own = tasks.filter(({ cluster }) => cluster === json["cluster"]);
    if (operation === "ListTasks") return page(own.map(arnOf), json, "taskArns");
    const asked = own.filter((task) => (json["tasks"] as string[]).includes(arnOf(task)));
    const [gone, there] = [true, false].map((is) => asked.filter(({ id }) => id.startsWith("gone") === is));
    return {
      body: {
        tasks: there?.map(({ group = "family:job", more, ...task }) => ({
          taskArn: arnOf(task),
          clusterArn: `${ARN}:cluster/${task.cluster}`,
          group,
          lastStatus: "RUNNING",
          startedAt: 1_795_000_000.75,
          containers: [
            { name: "app", image: "reg/web:1", imageDigest: `sha256:${DIGEST}`, lastStatus: "RUNNING" },
          ],
          ...more,
        })),
        failures: gone?.map((task) => ({ arn: arnOf(task), reason: "MISSING" })),
      },
    };
  };
}
