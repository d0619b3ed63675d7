import type { Generated } from "kysely";

// Tables, described once for SQL and row types. Columns have SQLite's types; `changeTables` translates them. Times are
// Unix seconds with a fraction, flags are 0 or 1, JSON is text in the interface's form.

type SqlType = "text" | "integer" | "double precision";

interface ColumnProperties {
  readonly isJson?: boolean;
  readonly isNullable?: boolean;
  /** Whether this is the only column of the primary key. */
  readonly isKey?: boolean;
  /** Whether the database assigns the next number. */
  readonly counts?: boolean;
  readonly isUnique?: boolean;
  readonly defaultsTo?: string | number;
  /** The table and column that it refers to, by default `id`. */
  readonly references?: { readonly table: string; readonly column: string };
  readonly check?: string;
}

export class Column<Value> {
  /** For the type checker only. */
  declare readonly value: Value;
  readonly type: SqlType;
  readonly properties: ColumnProperties;

  constructor(type: SqlType, properties: ColumnProperties = {}) {
    this.type = type;
    this.properties = properties;
  }

  /** Narrows the type to some of its values. */
  of<Narrower extends Value>(): Column<Narrower> {
    return new Column(this.type, this.properties);
  }

  get nullable(): Column<Value | null> {
    return this.#with({ isNullable: true });
  }

  get key(): Column<Value> {
    return this.#with({ isKey: true });
  }

  get unique(): Column<Value> {
    return this.#with({ isUnique: true });
  }

  default(defaultsTo: Value & (string | number)): Column<Generated<Value>> {
    return this.#with({ defaultsTo });
  }

  references(table: string, column = "id"): Column<Value> {
    return this.#with({ references: { table, column } });
  }

  check(check: string): Column<Value> {
    return this.#with({ check });
  }

  #with<Changed>(properties: ColumnProperties): Column<Changed> {
    return new Column<Changed>(this.type, { ...this.properties, ...properties });
  }
}

export const text = new Column<string>("text");
export const integer = new Column<number>("integer");
export const real = new Column<number>("double precision");
/** Unix seconds with a fraction. */
export const time = new Column<number>("double precision");
/** 0 or 1. */
export const flag = new Column<number>("integer");
export const json = new Column<string>("text", { isJson: true });
/** A primary key that increases with each row: the latest row has the highest number. */
export const sequence = new Column<Generated<number>>("integer", { isKey: true, counts: true });

export type TablePart<Name extends string> =
  | { readonly kind: "primary key" | "unique"; readonly columns: readonly Name[] }
  | {
      readonly kind: "index";
      readonly columns: readonly Name[];
      readonly statement: (table: string) => string;
    };

export interface Table<
  Columns extends Readonly<Record<string, Column<unknown>>> = Readonly<Record<string, Column<unknown>>>,
> {
  readonly columns: Columns;
  readonly parts: readonly TablePart<string>[];
}

export type RowOf<Described extends Table> = {
  [Name in keyof Described["columns"]]: Described["columns"][Name]["value"];
};

export function table<Columns extends Readonly<Record<string, Column<unknown>>>>(
  columns: Columns,
  ...parts: readonly TablePart<NoInfer<keyof Columns & string>>[]
): Table<Columns> {
  return { columns, parts };
}

export function primaryKey<Name extends string>(...columns: readonly Name[]): TablePart<Name> {
  return { kind: "primary key", columns };
}

export function unique<Name extends string>(...columns: readonly Name[]): TablePart<Name> {
  return { kind: "unique", columns };
}

export function index<Name extends string>(
  name: string,
  columns: readonly Name[],
  { isUnique = false, where }: { isUnique?: boolean; where?: string } = {},
): TablePart<Name> {
  const statement = (table: string) =>
    `create ${isUnique ? "unique index" : "index"} ${name} on ${table} (${columns.join(", ")})` +
    (where === undefined ? "" : ` where ${where}`);
  return { kind: "index", columns, statement };
}

/** Columns of a table that refer to rows which may follow later: of the same table, or of one created after it. */
function laterReferences(tables: Readonly<Record<string, Table>>, name: string): string[] {
  const names = Object.keys(tables);
  const isLater = ({ properties: { references } }: Column<unknown>) =>
    references !== undefined && names.indexOf(references.table) >= names.indexOf(name);
  return Object.entries(tables[name]?.columns ?? {}).flatMap(([column, described]) =>
    isLater(described) ? column : [],
  );
}

export function keyOf({ columns, parts }: Table): readonly string[] {
  const column = Object.keys(columns).find((each) => columns[each]?.properties.isKey);
  return column === undefined ? (parts.find(({ kind }) => kind === "primary key")?.columns ?? []) : [column];
}

export function jsonColumns({ columns }: Table): string[] {
  return Object.keys(columns).filter((column) => columns[column]?.properties.isJson);
}

export function statementsOf(tables: Readonly<Record<string, Table>>): string[] {
  const added: string[] = [];
  const made = Object.entries(tables).flatMap(([name, { columns, parts }]) => {
    const later = laterReferences(tables, name).filter(
      (column) => columns[column]?.properties.references?.table !== name,
    );
    const lines: string[] = [];
    for (const [column, described] of Object.entries(columns)) {
      if (later.includes(column)) added.push(`alter table ${name} add column ${column} ${typeOf(described)}`);
      else lines.push(`${column} ${typeOf(described)}`);
    }
    const indexes: string[] = [];
    for (const part of parts) {
      if (part.kind === "index") indexes.push(part.statement(name));
      else lines.push(`${part.kind} (${part.columns.join(", ")})`);
    }
    return [`create table ${name} (\n  ${lines.join(",\n  ")}\n)`, ...indexes];
  });
  return [...made, ...added];
}

function typeOf({ type, properties }: Column<unknown>): string {
  const { isNullable, isKey, counts, isUnique, defaultsTo, references, check } = properties;
  if (counts) return `${type} primary key`;
  return [
    type,
    ...(isNullable ? [] : ["not null"]),
    ...(isKey ? ["primary key"] : []),
    ...(isUnique ? ["unique"] : []),
    ...(defaultsTo === undefined
      ? []
      : [`default ${typeof defaultsTo === "string" ? `'${defaultsTo}'` : defaultsTo}`]),
    ...(references === undefined ? [] : [`references ${references.table} (${references.column})`]),
    ...(check === undefined ? [] : [`check (${check})`]),
  ].join(" ");
}
