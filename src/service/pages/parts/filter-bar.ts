import { Invalid, NotFound, type Refusal } from "../../kernel/errors.ts";
import type { Page, PageRequest } from "../page.ts";
import { type FieldPlace, invalidField, RefusedForm, type TypedFields } from "../refused-form.ts";
import { alertBox, choice, field, type Option } from "./form.ts";
import { type Html, html } from "./html.ts";
import {
  type AnyPeriod,
  anyPeriodIn,
  DAYS,
  daysIn,
  type Period,
  type Preset,
  periodIn,
  presetIn,
  presets,
} from "./period.ts";
import { chip } from "./tiles.ts";

/*
 * The filter of a list, by GET. A filter's key is the name of its query parameter.
 */

interface Given {
  readonly name: string;
  readonly query: URLSearchParams;
}

export interface Filter<Value> {
  readonly label: string;
  /** Further query parameters that it reads. */
  readonly parameters?: readonly string[];
  /** @throws Invalid for a value that it cannot have */
  read(given: Given & { readonly now: number }): Value;
  /** @param typed the refused filter, which has messages */
  field(given: Given, typed: TypedFields | undefined): Html;
  /** The chosen value in words; empty if nothing is chosen. */
  chosen(given: Given): string;
}

function written({ name, query }: Given): string {
  return (query.get(name) ?? "").trim();
}

export interface TextShape extends Pick<FieldPlace, "fills"> {
  /** Values that the browser offers. */
  readonly known?: readonly string[];
  /** Which values match, unless the label says it: `Whole name`. */
  readonly hint?: string;
}

export function textFilter(label: string, { known = [], ...shape }: TextShape = {}): Filter<string> {
  return {
    label,
    read: written,
    chosen: written,
    field: (given, typed) =>
      field({ name: given.name, id: idOf(given), label, value: written(given), known, ...shape }, typed),
  };
}

/** A tag of the records in a list. */
export function tagFilter(): Filter<string> {
  return textFilter("Tag (key:value)", { hint: "Whole tag, or its key" });
}

type ValueIn<Each> = Each extends readonly [infer Value, string] ? Value : Each;

interface Choosing extends Pick<FieldPlace, "codes"> {
  /** The first option, which is that nothing is chosen. */
  readonly nothing?: string;
}

export function choiceFilter<const Values extends readonly Option<string>[]>(
  label: string,
  values: Values,
  { nothing = "Any", codes }: Choosing = {},
): Filter<ValueIn<Values[number]> | ""> {
  const options: readonly Option<string>[] = [["", nothing], ...values];
  const wordOf = (value: string) => {
    const found = options.find((option) => (typeof option === "string" ? option : option[0]) === value);
    return typeof found === "string" ? found : found?.[1];
  };
  return {
    label,
    read(given) {
      const value = written(given);
      if (wordOf(value) === undefined) {
        throw invalidField(
          given.name,
          `'${value.slice(0, 40)}' is not a value of ${label}: choose one of the list`,
        );
      }
      // It is among the options.
      return value as ValueIn<Values[number]> | "";
    },
    chosen(given) {
      const value = written(given);
      return value === "" ? "" : (wordOf(value) ?? value);
    },
    field: (given, typed) => choiceField(given, { label, value: written(given), options, codes }, typed),
  };
}

interface NumberShape {
  readonly usual: number;
  readonly most: number;
}

export function numberFilter(label: string, { usual, most }: NumberShape): Filter<number> {
  const wanted = (given: Given) => written(given) || String(usual);
  return {
    label,
    read(given) {
      const value = wanted(given);
      const number = Number(value);
      if (/^\d+$/.test(value) && number >= 1 && number <= most) return number;
      throw invalidField(given.name, `${label} must be between 1 and ${most}, got '${value.slice(0, 40)}'`);
    },
    chosen: (given) => (wanted(given) === String(usual) ? "" : wanted(given)),
    field: (given, typed) =>
      field({ name: given.name, id: idOf(given), label, type: "number", value: wanted(given) }, typed),
  };
}

/** A period that may have no limits, which is usual. */
export function periodFilter(): Filter<AnyPeriod> {
  return periodFilterOf("any", ({ query, now }) => anyPeriodIn(query, now));
}

/** A period that has both limits. */
export function limitedPeriodFilter(usual: Preset): Filter<Period> {
  return periodFilterOf(usual, ({ query, now }) => periodIn(query, now, usual));
}

function periodFilterOf<Found>(usual: Preset, read: Filter<Found>["read"]): Filter<Found> {
  return {
    label: "Period",
    parameters: ["from", "to"],
    read,
    chosen({ query }) {
      const preset = presetIn(query, usual);
      if (preset !== "custom")
        return preset === usual ? "" : (presets(usual).find(([each]) => each === preset)?.[1] ?? preset);
      const [from, to] = daysIn(query);
      if (from === "") return usual === "any" ? `until ${to}` : `${DAYS} days until ${to}`;
      return to === "" ? `from ${from}` : `${from} to ${to}`;
    },
    field(given, typed) {
      const [from, to] = daysIn(given.query);
      const day = (name: string, label: string, value: string) =>
        field({ name, id: idOf({ name }), label, type: "date", value }, typed);
      const chosen = { label: "Period", value: presetIn(given.query, usual), options: presets(usual) };
      return html`${choiceField(given, chosen, typed)}
<div class="days">${day("from", "From", from)}
${day("to", "To", to)}</div>`;
    },
  };
}

interface ChoiceParts extends Pick<FieldPlace, "codes"> {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option<string>[];
}

/** A choice that shows an unknown value of an address, too. */
function choiceField(given: Given, { options, ...shape }: ChoiceParts, typed?: TypedFields): Html {
  const isKnown = options.some((each) => (typeof each === "string" ? each : each[0]) === shape.value);
  const all = isKnown ? options : [...options, shape.value];
  return choice({ name: given.name, id: idOf(given), ...shape, options: all }, typed);
}

/** Forms of the page may have fields with the same name. */
function idOf({ name }: Pick<Given, "name">): string {
  return `filter-${name}`;
}

type Values<Filters> = {
  readonly [Name in keyof Filters]: Filters[Name] extends Filter<infer Value> ? Value : never;
};

export interface FilterBar<Wanted> {
  readonly html: Html;
  /** Reads the list with the values of the filters. Returns a refusal if a value is invalid or names nothing. */
  find<Found>(read: (values: Wanted) => Promise<Found>): Promise<Found | Refusal>;
  /** The text of a list without rows: `usual`, or that none match. */
  empty(things: string, usual: string | Html): string | Html;
  /** The page that tells why there is no list. */
  refused(page: Pick<Page, "title" | "above">, refusal: Refusal): Page;
}

/** Query parameters that a form does not keep. */
const NOT_KEPT = ["page", "after", "format", "table"];

export function filterBar<Filters extends Readonly<Record<string, Filter<unknown>>>>(
  label: string,
  filters: Filters,
  { query, now, here }: PageRequest,
): FilterBar<Values<Filters>> {
  const all = Object.entries(filters).map(([name, filter]) => {
    const chosen = filter.chosen({ name, query });
    return { name, filter, chosen, parameters: [name, ...(filter.parameters ?? [])] };
  });
  const chosen = all.filter((each) => each.chosen !== "");
  const parameters = all.flatMap((each) => each.parameters);
  const clear = here(without([...parameters, ...NOT_KEPT]));
  return {
    html: barHtml(),
    async find(read) {
      try {
        const values = Object.fromEntries(
          all.map(({ name, filter }) => [name, filter.read({ name, query, now })]),
        );
        // Each key has the value of its own filter.
        return await read(values as Values<Filters>);
      } catch (error) {
        if (error instanceof Invalid || error instanceof NotFound) return error;
        throw error;
      }
    },
    empty: (things, usual) =>
      chosen.length === 0
        ? usual
        : html`<div class="empty"><p>No ${things} match.</p><p><a href="${clear}">Clear the filter</a></p></div>`,
    refused(page, refusal) {
      const typed = new RefusedForm(query, refusal);
      const bar = barHtml(typed);
      return {
        ...page,
        main: html`${alertBox(typed.alert("filter"))}${bar}`,
        status: refusal instanceof NotFound ? 404 : 400,
      };
    },
  };

  function barHtml(typed?: TypedFields): Html {
    const kept = [...query].filter(([name]) => !parameters.includes(name) && !NOT_KEPT.includes(name));
    return html`<form class="filter" method="get" aria-label="${label}">
<details${typed === undefined ? "" : html` open`}><summary>Filter</summary>
<div class="fields">${all.map(
      ({ name, filter }) => html`
${filter.field({ name, query }, typed)}`,
    )}${kept.map(
      ([name, value]) => html`
<input type="hidden" name="${name}" value="${value}">`,
    )}
<p class="field"><button type="submit">Apply</button></p>
</div>
</details>${chosen.length === 0 ? "" : chips()}
</form>`;
  }

  function chips(): Html {
    return html`
<p class="chips">${chosen.map(({ filter, chosen: value, parameters: own }) => {
      return html`${chip(`${filter.label}: ${value}`, here(without([...own, ...NOT_KEPT])))} `;
    })}<a href="${clear}">Clear</a></p>`;
  }
}

function without(names: readonly string[]): Readonly<Record<string, undefined>> {
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
