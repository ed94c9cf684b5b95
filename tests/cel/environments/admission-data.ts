import type { AuthorizationCheck } from 'orch-apiserver/cel';
import type { AdmissionValues } from 'orch-apiserver/cel/rules';
import { readShared } from '../../support/shared-data.js';

/* Tables of upstream's tests of admission expressions, and the values of their calls of helper functions. */

export type Json = Readonly<Record<string, unknown>>;
const tables: Readonly<Record<string, readonly Json[]>> = readShared('data/k8s-cel/admission-cel-tables.json', {
  tables: {},
}).tables;
export const table = <T>(name: string): readonly T[] => (tables[name] ?? []) as unknown as readonly T[];

export interface Case {
  readonly name: string;
  readonly validations: readonly { readonly Expression: string }[];
  readonly attributes: { readonly $call: string; readonly args: readonly unknown[] };
  readonly hasParamKind?: boolean;
  readonly params?: Json;
  readonly namespaceObject?: Json;
  readonly authorizer?: Json;
  readonly results?: readonly Json[];
  readonly testPerCallLimit?: number;
}

/** Returns an object in the form of Go structs: fields have their JSON names, and metadata is embedded. */
export function fromGo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromGo);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'ObjectMeta') return ['metadata', fromGo(member)];
      const isField = /^[A-Z]/.test(name) && name !== 'UID';
      const isMap = ['Data', 'Labels', 'Annotations'].includes(name);
      return [isField ? name.charAt(0).toLowerCase() + name.slice(1) : name, isMap ? member : fromGo(member)];
    }),
  );
}

const endpoints = {
  metadata: { name: 'endpoints1', namespace: 'default' },
  subsets: [{ addresses: [{ ip: '127.0.0.0' }] }],
};
const about = {
  requestResource: { group: '', version: 'v1', resource: 'endpoints' },
  name: 'endpoints1',
  namespace: 'default',
};

/** Returns the CEL variables for the attributes of a case. */
export function valuesOf(row: Case): AdmissionValues {
  const { $call, args } = row.attributes;
  const [object, isDelete] = args as [Json | null | undefined, boolean | undefined];
  const params = row.params && '$call' in row.params ? null : row.params;
  const values = {
    params: fromGo(params && 'Object' in params ? params['Object'] : params),
    namespaceObject: fromGo(row.namespaceObject),
    authorize: row.authorizer && authorizerOf(row.authorizer),
  };
  if ($call === 'endpointCreateAttributes') {
    return { ...values, object: endpoints, request: { ...about, operation: 'CREATE' } };
  }
  if ($call === 'endpointStatusUpdateAttributes') {
    const request = { ...about, operation: 'UPDATE', requestSubResource: 'status' };
    return { ...values, object: endpoints, oldObject: endpoints, request };
  }
  const request = { operation: 'CREATE', name: 'foo', namespace: 'default' };
  return isDelete
    ? { ...values, oldObject: endpoints, request }
    : { ...values, object: object ? fromGo(object) : endpoints, request };
}

function authorizerOf(row: Json): NonNullable<AdmissionValues['authorize']> {
  if (row['$call'] !== 'newAuthzAllowMatch') {
    const { reason, err } = row['defaultResult'] as { readonly reason: string; readonly err: unknown };
    const error = err === null ? {} : { error: 'fake authz error' };
    return () => ({ allowed: false, reason, ...error });
  }
  const [match] = row['args'] as [Json];
  return (check) => ({ allowed: isAsked(check, match), reason: '' });
}

function isAsked(check: AuthorizationCheck, match: Json): boolean {
  const wanted = (name: string): unknown => match[name] ?? '';
  const account =
    check.serviceAccount && `system:serviceaccount:${check.serviceAccount.namespace}:${check.serviceAccount.name}`;
  const user = (match['User'] as Json | undefined)?.['Name'];
  if (user !== account) return false;
  if (check.path !== undefined) return wanted('Path') === check.path && wanted('Verb') === check.verb;
  return (
    wanted('Verb') === check.verb &&
    wanted('APIGroup') === check.group &&
    wanted('Resource') === check.resource &&
    wanted('Subresource') === check.subresource &&
    wanted('Namespace') === check.namespace &&
    wanted('Name') === check.name
  );
}
