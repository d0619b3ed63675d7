import type {
  EnvironmentNotification,
  RunningNotification,
} from "../../../api/resources/notification-payload.ts";
import { nameOf, shortReason } from "./flow-words.ts";

export interface EnvironmentWords {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The title and the lines of a message about the changes of an environment by one report. */
export function environmentWords(
  payloads: readonly EnvironmentNotification[],
  main: EnvironmentNotification,
): EnvironmentWords {
  const started = artifactsIn(payloads, "artifact.started");
  const exited = artifactsIn(payloads, "artifact.exited");
  const changes = changesOf(started.first, exited.first);
  const others = payloads.filter(({ type }) => type !== "artifact.started" && type !== "artifact.exited");
  const environment = nameOf(main.environment);
  const blamed = started.first.length > 0 ? started.first : [main.artifact ?? []].flat();
  const more = Math.max(started.count, exited.count) - Math.max(started.first.length, exited.first.length);
  return {
    title: `${subjectOf(changes, { started, exited, environment, main })}${suffixOf(main, blamed)}`,
    lines: [
      ...changes.map(changeText),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...others.map(({ description }) => description),
    ],
  };
}

interface Counted {
  readonly count: number;
  readonly first: readonly RunningNotification[];
}

function artifactsIn(
  payloads: readonly EnvironmentNotification[],
  type: EnvironmentNotification["type"],
): Counted {
  const of = payloads.filter((payload) => payload.type === type);
  const first = of.flatMap(({ artifact, artifacts }) => artifacts?.first ?? artifact ?? []);
  return { first, count: of.reduce((sum, { artifacts }) => sum + (artifacts?.count ?? 1), 0) };
}

interface Change {
  readonly service: string;
  readonly from: RunningNotification | undefined;
  readonly to: RunningNotification | undefined;
}

/** Pairs the versions of a service. */
function changesOf(
  started: readonly RunningNotification[],
  exited: readonly RunningNotification[],
): Change[] {
  const left = [...exited];
  const changes = started.map((to): Change => {
    const service = serviceOf(to.name);
    const index = left.findIndex(({ name }) => serviceOf(name) === service);
    const [from] = index < 0 ? [] : left.splice(index, 1);
    return { service, from, to };
  });
  return [...changes, ...left.map((from) => ({ service: serviceOf(from.name), from, to: undefined }))];
}

/** The last part of an image name, without its tag and digest: `payments-api`. */
function serviceOf(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return nameOf(last.replace(/[:@].*$/s, "") || name);
}

/** The commit that the artifact was built from, else the start of its fingerprint. */
function versionOf({ fingerprint, provenance }: RunningNotification): string {
  return nameOf((provenance?.commit ?? fingerprint).slice(0, 7));
}

function changeText({ service, from, to }: Change): string {
  if (to === undefined) return `${service}${from ? ` ${versionOf(from)}` : ""} stopped`;
  return from === undefined
    ? `${service} ${versionOf(to)} started`
    : `${service} ${versionOf(from)} → ${versionOf(to)}`;
}

interface Subject {
  readonly started: Counted;
  readonly exited: Counted;
  readonly environment: string;
  readonly main: EnvironmentNotification;
}

function subjectOf(changes: readonly Change[], { started, exited, environment, main }: Subject): string {
  const [change] = changes;
  if (change === undefined) return `${eventOf(main)}${environment}${snapshotOf(main)}`;
  const count = Math.max(changes.length, started.count, exited.count);
  if (count === 1) return `${changeText(change)} in ${environment}`;
  return `${changeText(change)} and ${count - 1} more in ${environment}`;
}

function eventOf({ type, artifact, artifacts }: EnvironmentNotification): string {
  const what = artifacts ? `${artifacts.count} artifacts` : artifact && serviceOf(artifact.name);
  if (what === undefined) return "";
  if (artifact && type === "environment.non_compliant") return `${what} ${versionOf(artifact)} in `;
  if (type === "artifact.scaled") return `${what} scaled in `;
  return type === "artifact.allowed" ? `${what} allowed in ` : "";
}

/** Tells the changes of an environment apart. */
function snapshotOf({ type, snapshot, artifact }: EnvironmentNotification): string {
  const isTurn = type === "environment.compliant" || type === "environment.non_compliant";
  return isTurn && !artifact && snapshot ? ` snapshot ${nameOf(snapshot.index)}` : "";
}

/** The result, if this event changed it or the started artifacts are a reason for it. */
function suffixOf(
  { type, reasons }: EnvironmentNotification,
  started: readonly RunningNotification[],
): string {
  if (type === "environment.compliant") return ": compliant";
  const own = reasons.filter((reason) =>
    started.some(({ name }) => reason.startsWith(`'${name}': `) || reason.startsWith(`'${name}' and `)),
  );
  if (type !== "environment.non_compliant" && own.length === 0) return "";
  const [first = "non-compliant"] = own.length > 0 ? own : reasons;
  const isAlone = own.length > 0 && started.length === 1;
  return `: ${shortReason([isAlone ? first.slice(first.indexOf("': ") + 3) : first])}`;
}
