import { InputError } from "../../api/client/errors.ts";

/** Two letters or digits at least, as Jira makes them. */
const ANY_PROJECT = "[A-Z][A-Z0-9]{1,9}";
const PROJECT_KEY = /^[A-Za-z][A-Za-z0-9_]{1,9}$/;

/**
 * Finds the keys of Jira's issues that texts name, such as `WEB-7`, each once and sorted. Upper and lower case are one.
 * What goes on with a hyphen and a digit wherever it stands is something else: `CVE-2026-41284`.
 *
 * @param projects the keys of the projects whose issues count; any unless given
 * @throws {InputError} (`jira-projects`) for what cannot be the key of a project
 */
export function issueKeyFinder(projects: readonly string[]): (texts: readonly string[]) => string[] {
  const wrong = projects.filter((project) => !PROJECT_KEY.test(project));
  if (wrong.length > 0) {
    throw new InputError(
      wrong.map((project) => ({
        input: "jira-projects",
        problem: `'${project}' cannot be the key of a project, which is what stands before the hyphen of its issues`,
      })),
    );
  }
  const project = projects.length === 0 ? ANY_PROJECT : `(?:${projects.join("|").toUpperCase()})`;
  const key = new RegExp(`\\b${project}-\\d+(-\\d)?`, "g");
  return (texts) => {
    const matches = texts.join("\n").toUpperCase().matchAll(key);
    const keys = [...matches].flatMap(([match, more]) => (more === undefined ? match : []));
    return [...new Set(keys)].sort();
  };
}
