import { expectTypeOf, test } from "vitest";
import type { DeliveryFilter } from "../../../src/service/delivery/rules/deliveries.ts";
import type { EntryFilter } from "../../../src/service/events/audit-log/list.ts";
import type { BuildFilter } from "../../../src/service/evidence/artifacts/builds.ts";
import type { ReportFilter } from "../../../src/service/evidence/artifacts/list.ts";
import type { ListFilter } from "../../../src/service/evidence/attestations/list.ts";
import type { DecisionFilter } from "../../../src/service/evidence/controls/decision-list.ts";
import type { ControlFilter } from "../../../src/service/evidence/controls/records.ts";
import type { FlowFilter } from "../../../src/service/evidence/flows/list.ts";
import type { RepoFilter } from "../../../src/service/evidence/repos/list.ts";
import type { TrailFilter } from "../../../src/service/evidence/trails/list.ts";
import type { EnvironmentFilter } from "../../../src/service/runtime/environments/list.ts";
import type { EventFilter } from "../../../src/service/runtime/events/records.ts";

interface Filters {
  artifacts: ReportFilter;
  attestations: ListFilter;
  builds: BuildFilter;
  controls: ControlFilter;
  decisions: DecisionFilter;
  deliveries: DeliveryFilter;
  entries: EntryFilter;
  environments: EnvironmentFilter;
  events: EventFilter;
  flows: FlowFilter;
  repos: RepoFilter;
  trails: TrailFilter;
}

/** The lists that would accept the filter of another list. */
type Mixed = {
  [Name in keyof Filters]: {
    [Other in Exclude<keyof Filters, Name>]: Filters[Name] extends Filters[Other] ? Other : never;
  }[Exclude<keyof Filters, Name>];
}[keyof Filters];

test("the filter of one list cannot be used for another", () => {
  expectTypeOf<Mixed>().toBeNever();
});
