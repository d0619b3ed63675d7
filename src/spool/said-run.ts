/** Which run made a submission, by what its runner says: `run_id: 77`. Nothing proves it, and it authorizes nothing. */
export type SaidRun = Readonly<Record<string, string>>;

/** It goes into a header, of which servers take 16 KB, as up to nine characters each. */
const MAX_LENGTH = 1_000;

/**
 * A text for people: `repository acme/web, workflow Build, run_id 77, …`. Whatever a spool says, it can be sent, and
 * does not keep back what was spooled.
 */
export function describeRun(run: SaidRun | undefined): string {
  const facts = Object.entries(run ?? {}).map(([name, value]) => `${name} ${value}`);
  return facts.join(", ").slice(0, MAX_LENGTH).toWellFormed() || "a run that is not known";
}
