import { secondsOf } from './managed-fields.js';
import { type Manager, type Managers, managerId, withFields } from './managers.js';
import { union } from './path-set.js';

/** More Update entries than these are joined (gap file 2.4). */
export const MAX_UPDATE_MANAGERS = 10;

/**
 * Joins the oldest Update entries until at most `max` are left: all of one apiVersion become one entry of the manager
 * `ancient-changes`, with the newest of their times. The first of an apiVersion stays alone until a second comes.
 */
export function capUpdateManagers(managers: Managers, max = MAX_UPDATE_MANAGERS): Managers {
  if (managers.size <= max) return managers;
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let surplus = updaters.length - max;
  if (surplus <= 0) return managers;
  updaters.sort(([idA, a], [idB, b]) => secondsOf(a) - secondsOf(b) || (idA < idB ? -1 : 1));

  const capped = new Map(managers);
  const bucketOf = new Map<string, Manager>();
  for (const [id, manager] of updaters) {
    if (surplus === 0) break;
    const bucket = bucketOf.get(manager.apiVersion);
    if (bucket === undefined) {
      bucketOf.set(manager.apiVersion, manager);
      continue;
    }
    const joined = joinAncient(bucket, manager);
    capped.delete(managerId(bucket));
    capped.delete(id);
    capped.set(managerId(joined), joined);
    bucketOf.set(manager.apiVersion, joined);
    surplus--;
  }
  return capped;
}

function joinAncient(older: Manager, newer: Manager): Manager {
  const { time: _, ...rest } = withFields(
    { ...older, name: 'ancient-changes', subresource: '' },
    union(newer.fields, older.fields),
    newer.time,
  );
  return newer.time === undefined ? rest : { ...rest, time: newer.time };
}
