import type { ListSchema, ObjectSchema, Property, Schema } from '../../src/schema/schema.js';

// Small schemas of well-known kinds, which are sufficient for tests of ownership.

export const string: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer', format: 'int64' };
export const boolean: Schema = { type: 'boolean' };
export const strings: Schema = { type: 'map', values: string };
export const listOf = (items: Schema, more: Partial<ListSchema> = {}): Schema => ({ type: 'list', items, ...more });
export const mapList = (items: Schema, ...mapKeys: string[]) => listOf(items, { listType: 'map', mapKeys });

export function struct(fields: Record<string, Schema | Property>, more: Partial<ObjectSchema> = {}): ObjectSchema {
  const properties = Object.entries(fields).map(([name, x]): [string, Property] => [
    name,
    'schema' in x ? x : { schema: x },
  ]);
  return { type: 'object', properties: new Map(properties), ...more };
}
export const always = (schema: Schema): Property => ({ schema, presence: 'always' });
const atomic = { mapType: 'atomic' } as const;

export const reference = struct(
  { kind: string, name: string, namespace: string, uid: string, apiVersion: string },
  atomic,
);
const ownerReference = struct(
  { apiVersion: string, kind: string, name: string, uid: string, controller: boolean, blockOwnerDeletion: boolean },
  atomic,
);

const metadata = struct({
  ...{
    name: string,
    namespace: string,
    uid: string,
    resourceVersion: string,
    generation: integer,
    generateName: string,
  },
  creationTimestamp: always({ type: 'string', format: 'date-time' }),
  labels: strings,
  annotations: strings,
  finalizers: listOf(string, { listType: 'set' }),
  ownerReferences: mapList(ownerReference, 'uid'),
  managedFields: listOf({ type: 'any' }),
});
export const kind = (fields: Record<string, Schema | Property>): ObjectSchema =>
  struct({ apiVersion: string, kind: string, metadata: always(metadata), ...fields });

export const configMap = kind({ data: strings, binaryData: strings, immutable: boolean });
export const serviceAccount = kind({
  secrets: mapList(reference, 'name'),
  imagePullSecrets: listOf(struct({ name: string })),
  automountServiceAccountToken: boolean,
});
const rule = struct({
  apiGroups: listOf(string),
  resources: listOf(string),
  verbs: listOf(string),
  nonResourceURLs: listOf(string),
});
export const role = kind({ rules: always(listOf(rule)) });
const subject = struct({ kind: string, apiGroup: string, name: string, namespace: string }, atomic);
export const roleBinding = kind({
  subjects: listOf(subject),
  roleRef: struct({ kind: string, apiGroup: string, name: string }, atomic),
});
const condition = struct({
  type: string,
  status: string,
  reason: string,
  message: string,
  lastTransitionTime: { type: 'string', format: 'date-time' },
});
export const namespace = kind({
  spec: always(struct({ finalizers: listOf(string) })),
  status: always(struct({ phase: string, conditions: mapList(condition, 'type') })),
});
const port = struct({ containerPort: integer, protocol: { type: 'string', default: 'TCP' }, name: string });
const container = struct({
  name: string,
  image: string,
  args: listOf(string),
  env: mapList(struct({ name: string, value: string }), 'name'),
  ports: mapList(port, 'containerPort', 'protocol'),
  resources: always(struct({ limits: strings })),
});
export const pod = kind({
  spec: always(
    struct({ containers: mapList(container, 'name'), automountServiceAccountToken: boolean, nodeName: string }),
  ),
  status: always(struct({ phase: string })),
});
