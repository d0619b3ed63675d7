import { type DatabaseIdentity, ensureIdentity, ensurePlace, readIdentity } from "../database-identity.ts";
import { newId } from "../ids.ts";
import type { Store } from "../store.ts";
import { OWNER, type Owner, type Place } from "./place.ts";

interface Parts {
  store: Store;
  place: Place;
  /** Whether the place is the data folder's own, so that the two have always belonged together. */
  own: boolean;
}

/** @throws Error when the place is another database's, or holds only some of its attachments */
export async function agreeOnOwner({ store, place, own }: Parts): Promise<void> {
  const { id, placeId } = (await readIdentity(store.read)) ?? (await newIdentity({ store, place, own }));
  const said = await ownerOf(place);
  if (said === undefined && placeId !== null) throw elsewhere(place, { database: id, place: placeId });
  if (said === undefined && !own && !(await isEmpty(place))) throw ofNobody(place);
  const owner = said ?? (await place.owner.take({ database: id, place: newId() }));
  if (owner.database !== id) throw ofAnother(place, id, owner);
  // Another instance may have started meanwhile, and may have been given another place.
  const agreed = placeId ?? (await store.write((db) => ensurePlace(db, owner.place)));
  if (owner.place !== agreed) throw elsewhere(place, { database: id, place: agreed });
}

/** Records that were upgraded, or put back, belong to the attachments that lie beside them. */
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

function ofAnother({ name }: Place, id: string, { database }: Owner): Error {
  return new Error(
    `${name} holds the attachments of the database ${database}, and this database is ${id}: give --attachments the ` +
      "place that is this one's, or one that is empty if it has none yet",
  );
}

function elsewhere({ name }: Place, owner: Owner): Error {
  return new Error(
    `${name} is not where the database ${owner.database} keeps its attachments: give --attachments the place that ` +
      `has ${owner.place} in its ${OWNER.name}, or copy all of that place there. If it is lost, write ` +
      `${OWNER.text(owner).trim()} into ${OWNER.name} to go on without`,
  );
}

function ofNobody({ name }: Place): Error {
  return new Error(
    `${name} holds attachments, but no ${OWNER.name} that says of which database: copy that file there as well, or ` +
      "give --attachments an empty place",
  );
}
