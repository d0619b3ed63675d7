const SUBJECTS: Readonly<Record<string, string>> = {
  flow: "flows",
  env: "environments",
  org: "the organization",
};

/** What a rule is about, by its type. */
export function ruleSubject(type: string): string {
  return SUBJECTS[type] ?? type;
}
