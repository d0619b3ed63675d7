import { html } from "hono/html";
import { NotFound } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../ask.ts";
import type { PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { link } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";

/** So many environments are asked for what runs in them. */
const ASKED = 50;

/** What a policy said last of what runs in an environment. */
interface LastVerdict {
  readonly environment: string;
  /** Absent while nothing was judged by it. */
  readonly snapshot?: number;
  /** Unix seconds. */
  readonly at?: number;
  readonly version?: number;
  readonly failing?: number;
}

interface Shape {
  readonly policy: string;
  readonly environments: readonly string[];
}

/** The last verdict of a policy in each environment that it is attached to. */
export async function verdictTable(
  { ask, to, here }: Pick<PageRequest, "ask" | "to" | "here">,
  { policy, environments }: Shape,
): Promise<Table> {
  const rows = await Promise.all(
    environments.slice(0, ASKED).map((environment) => lastVerdict(ask, environment, policy)),
  );
  return table<LastVerdict>({
    id: "environments",
    caption:
      environments.length > ASKED
        ? `Environments that it is attached to, the first ${ASKED} of ${environments.length}`
        : "Environments that it is attached to",
    columns: [
      {
        head: "Name",
        cell: ({ environment }) => link(to.page("environments", environment), environment),
        csv: ({ environment }) => environment,
      },
      {
        head: "Its last verdict",
        cell: ({ failing }) => complianceVerdict(failing === undefined ? null : failing === 0),
        csv: ({ failing }) =>
          failing === undefined ? "UNKNOWN" : failing === 0 ? "COMPLIANT" : "NON-COMPLIANT",
      },
      {
        head: "Artifacts that fail it",
        cell: ({ failing }) => failing,
        csv: ({ failing }) => failing,
        isNumber: true,
      },
      { head: "Version", cell: ({ version }) => version, csv: ({ version }) => version, isNumber: true },
      {
        head: "In snapshot",
        cell: ({ environment, snapshot }) =>
          snapshot === undefined
            ? html`<span class="quiet">nothing was judged yet</span>`
            : link(to.page("environments", environment, "snapshots", snapshot), String(snapshot)),
        csv: ({ snapshot }) => snapshot,
      },
      { head: "Since", cell: ({ at }) => at && time(at), csv: ({ at }) => at && utc(at) },
    ],
    rows,
    empty: empty("None. Attach it on the page of an environment."),
    here,
  });
}

async function lastVerdict(
  ask: PageRequest["ask"],
  environment: string,
  policy: string,
): Promise<LastVerdict> {
  const snapshot = await latestSnapshot(ask, environment);
  const applied = snapshot?.appliedPolicies?.find(({ name }) => name === policy);
  if (snapshot === undefined || applied === undefined) return { environment };
  const { version, failing_artifacts: failing } = applied;
  return {
    environment,
    snapshot: snapshot.index,
    at: snapshot.timestamp,
    ...(typeof version === "number" ? { version } : {}),
    ...(Array.isArray(failing) ? { failing: failing.length } : {}),
  };
}

async function latestSnapshot(
  ask: PageRequest["ask"],
  envName: string,
): Promise<AnsweredBy<"getSnapshot"> | undefined> {
  try {
    return await ask("getSnapshot", { envName, snapshotExpression: "-1", page: 1, perPage: 1 });
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
