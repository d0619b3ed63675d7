/** The database of each server with the tables of this version and no records, which others are copies of. */
export const PREPARED = "prepared";
