import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { equalJson } from '../../json/equal.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { Flow } from '../../meta/flow.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Query } from '../../meta/query.js';
import { messageOf } from '../../values/message-of.js';
import { parseUint16 } from '../../values/numbers.js';
import type { RelayParameter, RelaySubresource } from '../resource-definition.js';
import { patchJson } from './admission-forms.js';
import type { Write } from './write.js';

/**
 * Runs mutating and validating admission for a connection to the process behind an object. The operation is CONNECT, and the query
 * parameters are the members of the object (`PodExecOptions`).
 * @throws ApiError 400 for a parameter that cannot be read, and when admission refuses the connection.
 */
export function* admitConnection(
  { environment: { admission }, target, context }: Write,
  { kind, parameters }: RelaySubresource<ApiObject>['relay'],
  query: Query,
): Flow<void> {
  const members = parametersOf(parameters, query);
  if (!admission.connects) return;
  const { resource, subresource, namespace, name } = target;
  // Objects of kinds such as `PodExecOptions` have no metadata. Only the type `ApiObject` requires it, hence the cast.
  const object = Object.freeze({ kind, apiVersion: 'v1', ...members }) as unknown as ApiObject;
  const gvk = { group: '', version: 'v1', kind };
  const attributes: AdmissionAttributes = {
    operation: 'CONNECT',
    resource: resource.gvr,
    kind: gvk,
    subresource,
    namespace,
    name,
    requestName: name,
    user: context.user,
    dryRun: false,
    object,
    oldObject: undefined,
    options: {},
    forms: () => [
      {
        resource: resource.gvr,
        kind: gvk,
        from: (each) => each,
        patch: (each, document) => refuseChange(parameters, each, document),
      },
    ],
    warn: (text) => context.warn(text),
    annotate: (key, value) => context.annotate(key, value),
    waited: (milliseconds) => context.waited(milliseconds),
    remaining: () => context.remaining(),
    throwIfGivenUp: () => context.signal.throwIfAborted(),
    observer: context.observer,
  };
  yield* admission.admit(attributes);
  yield* admission.validate(attributes);
}

/**
 * Returns the object of a connection if a patch changes none of its parameters: members of other names are dropped.
 * @throws ApiError 500 for a patch that changes a parameter, and for one that cannot be applied.
 */
async function refuseChange(parameters: readonly RelayParameter[], object: ApiObject, document: JsonValue) {
  const patched = patchJson(object as unknown as JsonObject, document); // API objects are plain JSON, so the cast is safe.
  const known = ['kind', 'apiVersion', ...parameters.map(({ name }) => name)];
  const kept = isJsonObject(patched)
    ? Object.fromEntries(Object.entries(patched).filter(([name]) => known.includes(name)))
    : patched;
  if (equalJson(kept, object)) return object;
  throw apiError.internal('what a connection is opened with cannot be changed');
}

/** Returns the parameters as members of an object; empty values are left out. */
function parametersOf(parameters: readonly RelayParameter[], query: Query): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const { name, type, repeated } of parameters) {
    const sent = query.all(name);
    const [first] = sent;
    if (first === undefined) continue;
    const value = repeated ? sent.flatMap((text) => LISTS[type](text)) : READERS[type](first);
    if (value) out[name] = value;
  }
  return out;
}

const READERS: Readonly<Record<RelayParameter['type'], (value: string) => JsonValue>> = {
  // Upstream reads every value except `0` and `false` as true.
  boolean: (value) => !['0', 'false'].includes(value.toLowerCase()),
  integer: (value) => (/^[+-]?\d{1,10}$/.test(value) ? Number(value) : 0),
  string: (value) => value,
};

/** Returns the values in one parameter that may be repeated. Port numbers may also be separated by commas. */
const LISTS: Readonly<Record<RelayParameter['type'], (value: string) => readonly JsonValue[]>> = {
  boolean: (value) => [READERS.boolean(value)],
  integer: readPorts,
  string: (value) => [value],
};

/** @throws ApiError 400 for a value that is not a port number. */
function readPorts(value: string): number[] {
  try {
    return value.split(',').map(parseUint16);
  } catch (error) {
    throw apiError.badRequest(`cannot convert to []int32: ${messageOf(error)}`);
  }
}
