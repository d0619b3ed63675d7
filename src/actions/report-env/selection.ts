import { type NameSelection, selectNames } from "../../evidence/name-selection.ts";
import type { Target } from "./target.ts";

/** The names that the inputs `include` to `exclude-regex` select. @throws InputError naming every wrong input */
export function selectBy(
  { include, includeRegex, exclude, excludeRegex }: Target,
  rules: Parameters<typeof selectNames>[1],
): NameSelection {
  return selectNames(
    {
      include: ["include", include],
      includeRegex: ["include-regex", includeRegex],
      exclude: ["exclude", exclude],
      excludeRegex: ["exclude-regex", excludeRegex],
    },
    rules,
  );
}
