/** What is wrong below a field, with the field's name before it. */
export function below(field: string, problems: Problems): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([inner, text]) => [
      inner === "" ? field : `${field}${inner.startsWith("[") ? "" : "."}${inner}`,
      text,
    ]),
  );
}

/** What is wrong, by field: `properties.percent.type`. The whole is the empty field. */
export type Problems = Record<string, string>;
