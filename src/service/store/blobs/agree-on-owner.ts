import { type DatabaseIdentity, ensureIdentity, ensurePlace, readIdentity } from "../database-identity.ts";
import { newId } from "../ids.ts";
import type { Store } from "../store.ts";
import { OWNER, type Owner, type Place } from "./place.ts";

interface Parts {
  store: Store;
  place: Place;
  /** Whether the place is the data folder's own, and so has always belonged to the database. */
  own: boolean;
}

/** @throws Error when the place belongs to another database, or has only some of this one's attachments */
export async function agreeOnOwner({ store, place, own }: Parts): Promise<void> {
  const { id, placeId } = (await readIdentity(store.read)) ?? (await newIdentity({ store, place, own }));
  const placeOwner = await ownerOf(place);
  if (placeOwner === undefined && placeId !== null) throw elsewhere(place, { database: id, place: placeId });
  if (placeOwner === undefined && !own && !(await isEmpty(place))) throw withoutOwner(place);
  const owner = placeOwner ?? (await place.owner.take({ database: id, place: newId() }));
  if (owner.database !== id) throw otherDatabase(place, id, owner);
  // Another instance may have started meanwhile with another place.
  const agreed = placeId ?? (await store.write((db) => ensurePlace(db, owner.place)));
  if (owner.place !== agreed) throw elsewhere(place, { database: id, place: agreed });
}

/** Upgraded or restored records belong to the attachments beside them. */
async function newIdentity({ store, place, own }: Parts): Promise<DatabaseIdentity> {
  const beside = own ? await ownerOf(place) : undefined;
  return store.write((db) => ensureIdentity(db, beside?.database));
}

async function ownerOf(place: Place): Promise<Owner | undefined> {
  return place.owner.read().catch((cause: unknown) => {
    throw new Error(`The attachments in ${place.name} cannot be reached`, { cause });
  });
}

async function isEmpty(place: Place): Promise<boolean> {
  for await (const names of place.list()) if (names.length > 0) return false;
  return true;
}

function otherDatabase({ name }: Place, id: string, { database }: Owner): Error {
  return new Error(
    `${name} has the attachments of the database ${database}, but this database is ${id}: set --attachments to ` +
      "the location of this database's attachments, or to an empty location if it has none yet",
  );
}

function elsewhere({ name }: Place, owner: Owner): Error {
  return new Error(
    `${name} is not the place for attachments of the database ${owner.database}: set --attachments to the place whose ` +
      `${OWNER.name} contains ${owner.place}, or copy all files of that place to ${name}. If that place is lost, write ` +
      `${OWNER.text(owner).trim()} into ${OWNER.name} to continue without its attachments`,
  );
}

function withoutOwner({ name }: Place): Error {
  return new Error(
    `${name} has attachments, but no ${OWNER.name} that names their database: copy that file as well, or ` +
      "set --attachments to an empty place",
  );
}
