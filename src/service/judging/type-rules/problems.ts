export function below(field: string, problems: Problems): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([inner, text]) => [
      inner === "" ? field : `${field}${inner.startsWith("[") ? "" : "."}${inner}`,
      text,
    ]),
  );
}

/** Problems by field, such as `properties.percent.type`. The empty field means the whole document. */
export type Problems = Record<string, string>;
