import { secondsOf } from './managed-fields.js';
import { type Manager, type Managers, managerId } from './merge/managers.js';
import { type PathSet, unionOfAll } from './paths/path-set.js';

/** The most Update entries that are kept separate. */
const MAX_UPDATE_MANAGERS = 10;

/**
 * Joins the oldest Update entries until at most `max` are left: those of one apiVersion become one entry of the manager `ancient-changes`,
 * with the time of the entry that joined last. The first entry of an apiVersion stays separate until a second one joins it. If
 * `ancient-changes` exists already, the first entry is never joined.
 */
export function capUpdateManagers(managers: Managers, max = MAX_UPDATE_MANAGERS): Managers {
  if (managers.size <= max) return managers;
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let surplus = updaters.length - max;
  if (surplus <= 0) return managers;

  const capped = new Map(managers);
  const buckets = new Map<string, Bucket>();
  for (const { id, manager } of oldestFirst(updaters)) {
    if (surplus === 0) break;
    const bucket = buckets.get(manager.apiVersion);
    if (bucket === undefined) {
      buckets.set(manager.apiVersion, newBucket(id, manager));
    } else if (id !== bucket.id) {
      join(bucket, id, manager, capped);
      surplus--;
    }
  }
  for (const { id, manager, sets } of buckets.values())
    if (sets.length > 0) capped.set(id, { ...manager, fields: unionOfAll(sets) });
  return capped;
}

function oldestFirst(updaters: readonly (readonly [id: string, manager: Manager])[]) {
  const dated = updaters.map(([id, manager]) => ({ id, manager, seconds: secondsOf(manager) }));
  return dated.sort((a, b) => a.seconds - b.seconds || (a.id < b.id ? -1 : 1));
}

/** The entry that the old entries of one apiVersion join. */
interface Bucket {
  readonly id: string;
  readonly first: { readonly id: string; readonly fields: PathSet };
  /** The joined manager without its fields. */
  manager: Omit<Manager, 'fields'>;
  /** The field sets to unite; empty until a second entry joins. */
  readonly sets: PathSet[];
}

function newBucket(id: string, { apiVersion, fields }: Manager): Bucket {
  const manager = { name: 'ancient-changes', operation: 'Update', apiVersion, subresource: '' } as const;
  return { id: managerId(manager), first: { id, fields }, manager, sets: [] };
}

function join(bucket: Bucket, id: string, { fields, time }: Manager, capped: Map<string, Manager>): void {
  if (bucket.sets.length === 0) {
    const known = capped.get(bucket.id);
    if (known === undefined) capped.delete(bucket.first.id);
    bucket.sets.push((known ?? bucket.first).fields);
  }
  capped.delete(id);
  bucket.sets.push(fields);
  const { time: _, ...rest } = bucket.manager;
  bucket.manager = time === undefined ? rest : { ...rest, time };
}
