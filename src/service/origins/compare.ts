import { isSameName, lowerAscii, PULL_REQUEST_EVENTS } from "../kernel/github-names.ts";

/** What a record says of where it comes from. */
export interface Said {
  readonly commit?: string | null | undefined;
  readonly repository?: { readonly id?: unknown; readonly name?: unknown } | null | undefined;
  /** The page of the run. */
  readonly run?: string | null | undefined;
}

/** What was proven of a workflow. */
export interface Proven {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The page of the run. */
  readonly url: string | null;
  /** Another run, which made the record, as the one says that was proven. */
  readonly spooledBy?: string;
}

/** What is different, by field: what a record says, and what was proven. */
export type Differences = Readonly<Record<string, { readonly said: string; readonly proven: string }>>;

/**
 * Runs of these events are of another commit than the change that they are about: the token names a trial merge, or the
 * branch that the workflow is from.
 */
const OF_ANOTHER_COMMIT: readonly unknown[] = [...PULL_REQUEST_EVENTS, "workflow_run"];

/** Where a record says something else than was proven. What it does not say, or nothing proves, is no difference. */
export function differencesOf(
  { commit, repository, run }: Said,
  { claims, url, spooledBy }: Proven,
): Differences {
  const found = new Map<string, { said: string; proven: string }>();
  const note = (
    field: string,
    said: unknown,
    proven: unknown,
    same: (said: string, proven: string) => boolean,
  ) => {
    if (!isText(said) || !isText(proven) || same(said, proven)) return;
    found.set(field, { said, proven });
  };
  if (!OF_ANOTHER_COMMIT.includes(claims["event_name"])) note("commit", commit, claims["sha"], isSameName);
  note("repository", repository?.id, claims["repository_id"], isSameName);
  // The name is what people read: the id of one repository with the name of another is neither.
  note("repository", repository?.name, claims["repository"], isSameName);
  note("run", run, url, isPageOf);
  // Whoever replays can say of himself alone what is proven, even where the record says the same of another.
  if (spooledBy !== undefined) found.set("spooled_by", { said: spooledBy, proven: url ?? "another one" });
  return Object.fromEntries(found);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The page of a run, of one of its attempts, or of one of its jobs: where a browser goes, whatever it is written as. */
function isPageOf(said: string, proven: string): boolean {
  const run = lowerAscii(proven.replace(/\/attempts\/\d+$/, ""));
  const page = lowerAscii(URL.parse(said)?.href ?? "");
  return (
    page === run || page.startsWith(`${run}/`) || page.startsWith(`${run}?`) || page.startsWith(`${run}#`)
  );
}
