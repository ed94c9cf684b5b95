import { describeOperations, type Operation, patchBetween } from '../client/differences.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { CoreApiServer } from '../server/core-api-server.js';
import type { ServerSnapshot } from '../server/server-snapshot.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkServer } from './check-arguments.js';

/** The difference of one object between two states. */
export interface ObjectDifference {
  /** Whether only the second state has the object, both have it with differences, or only the first state has it. */
  readonly change: 'added' | 'changed' | 'removed';
  /** The API version of the object. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The namespace; '' for an object that is not in a namespace. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The JSON patch (RFC 6902) that makes the second object from the first one; empty unless the object has changed. */
  readonly patch: readonly Operation[];
}

/** The differences between two states, by group, kind, namespace and name. */
export interface Differences {
  /** The objects that differ. */
  readonly objects: readonly ObjectDifference[];
  /** The differences as text: a line for each object, followed by a line for each place that differs; '' if nothing differs. */
  readonly text: string;
}

/** The options of {@link diff}. */
export interface DiffOptions {
  /** Whether differences in versions, generations and managedFields count as well. Default false. */
  readonly bookkeeping?: boolean;
}

/**
 * Returns the differences between two states: the states of servers, such as a server and its fork, or snapshots of any revision. Objects
 * are compared if they have the same group, kind, namespace and name; one that was deleted and created again has another `metadata.uid`.
 * @throws TypeError for a value that is neither a server nor a snapshot, and for an option that does not exist.
 */
export async function diff(
  before: CoreApiServer | ServerSnapshot,
  after: CoreApiServer | ServerSnapshot,
  options: DiffOptions = {},
): Promise<Differences> {
  refuseUnknownMembers('diff', options, ['bookkeeping']);
  const { bookkeeping = false } = options;
  const shown = bookkeeping ? (object: ApiObject) => object : withoutBookkeeping;
  const [objectsBefore, objectsAfter] = [objectsOf(before), objectsOf(after)];
  const objects: ObjectDifference[] = [];
  const lines: string[] = [];
  for (const key of [...new Set([...objectsBefore.keys(), ...objectsAfter.keys()])].sort()) {
    const [one, other] = [objectsBefore.get(key), objectsAfter.get(key)];
    const object = other ?? one;
    if (one === other || !object) continue;
    const tested = one && other ? await patchBetween(shown(one), shown(other)) : [];
    if (one && other && tested.length === 0) continue;
    const patch = tested.filter(({ op }) => op !== 'test');
    const { apiVersion = '', kind = '', metadata } = object;
    const { namespace = '', name = '' } = metadata;
    const change = one ? (other ? 'changed' : 'removed') : 'added';
    objects.push({ change, apiVersion, kind, namespace, name, patch });
    lines.push(`${change} ${kind} ${namespace === '' ? name : `${namespace}/${name}`}`);
    for (const line of describeOperations(tested)) lines.push(`  ${line}`);
  }
  return { objects, text: lines.join('\n') };
}

function objectsOf(state: CoreApiServer | ServerSnapshot): ReadonlyMap<string, ApiObject> {
  if (!isSnapshot(state)) checkServer('diff', state);
  const objects = isSnapshot(state) ? state.objects() : state.snapshot().objects();
  return new Map(objects.map((object) => [identityOf(object), object]));
}

const isSnapshot = (state: CoreApiServer | ServerSnapshot): state is ServerSnapshot =>
  typeof (Object(state) as Partial<ServerSnapshot>).objects === 'function';

/**
 * Returns a string that identifies an object in a state. The API version is left out, because an object is the same in all versions of its
 * kind.
 */
function identityOf({ apiVersion = '', kind, metadata: { namespace = '', name } }: ApiObject): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return `${group} ${kind} ${namespace} ${name}`;
}

function withoutBookkeeping(object: ApiObject): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}
