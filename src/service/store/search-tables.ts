import { index, json, sequence, table, text, time } from "./schema.ts";

export const SEARCH_TABLES = {
  /** The searched texts of each trail, and of each artifact without a trail. They follow from the other records. */
  search_documents: table(
    {
      id: sequence,
      org_id: text,
      flow_id: text.references("flows"),
      /** The id of the trail, or of an artifact without a trail. */
      record_id: text.unique,
      /** Null for an artifact without a trail. */
      trail_id: text.nullable.references("trails"),
      /** Texts of the trail itself, each with its field. An update of the trail replaces them. */
      own: json,
      /** Texts of its artifacts and attestations, each with its field. They only grow. */
      texts: json,
      /** The distinct words of all texts, separated by spaces. The engine has an index of them. */
      words: text,
      created_at: time,
    },
    index("search_documents_age", ["org_id", "created_at", "id"]),
  ),
};
