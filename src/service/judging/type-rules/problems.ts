export function below(field: string, problems: Problems): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([inner, text]) => [
      inner === "" ? field : `${field}${inner.startsWith("[") ? "" : "."}${inner}`,
      text,
    ]),
  );
}

/** By field, such as `properties.percent.type`. The empty field is the whole. */
export type Problems = Record<string, string>;
