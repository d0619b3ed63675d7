/** Which run made a submission, by what its runner says: `run_id: 77`. Nothing proves it, and it authorizes nothing. */
export type SaidRun = Readonly<Record<string, string>>;

/** One line for people: `repository acme/web, workflow Build, run_id 77, …`. */
export function describeRun(run: SaidRun | undefined): string {
  const facts = Object.entries(run ?? {}).map(([name, value]) => `${name} ${value}`);
  return facts.join(", ") || "a run that is not known";
}
