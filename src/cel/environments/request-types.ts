import { once } from '../../values/once.js';
import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  objectType,
  STRING,
  TIMESTAMP,
  type Type,
} from '../typing/type.js';

/**
 * Types of what the server itself hands to expressions. They are for the checker: while running, the objects are maps as they came, so a member
 * that is left out is `no such key`, and a time is the text that it is in JSON.
 */
export function record(name: string, fields: () => Readonly<Record<string, Type>>): ObjectType {
  const known = once(() => new Map(Object.entries(fields()).map(([property, type]) => [property, { type, property }])));
  return objectType(name, { get: (field) => known().get(field), names: () => known().keys() });
}

const TEXTS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);

/** `user` of authentication, `request.userInfo` of admission. */
export const USER_INFO = record('kubernetes.UserInfo', () => ({
  username: STRING,
  uid: STRING,
  groups: TEXTS,
  extra: mapOf(STRING, TEXTS),
}));

const KIND = record('kubernetes.GroupVersionKind', () => ({ group: STRING, version: STRING, kind: STRING }));
const RESOURCE = record('kubernetes.GroupVersionResource', () => ({
  group: STRING,
  version: STRING,
  resource: STRING,
}));

/** `request` of admission: an AdmissionRequest without `uid`, `object` and `oldObject`. */
export const ADMISSION_REQUEST = record('kubernetes.AdmissionRequest', () => ({
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER_INFO,
  dryRun: BOOL,
  options: DYN,
}));

/** `namespaceObject` of admission. `UID` is declared so, and no namespace has it: the member is `uid`. */
export const NAMESPACE = record('kubernetes.Namespace', () => ({
  metadata: record('kubernetes.NamespaceMetadata', () => ({
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: TEXTS,
  })),
  spec: record('kubernetes.NamespaceSpec', () => ({ finalizers: TEXTS })),
  status: record('kubernetes.NamespaceStatus', () => ({
    conditions: listOf(
      record('kubernetes.NamespaceCondition', () => ({
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      })),
    ),
    phase: STRING,
  })),
}));

const REQUIREMENT = record('kubernetes.SelectorRequirement', () => ({ key: STRING, operator: STRING, values: TEXTS }));
const selector = (name: string) => record(name, () => ({ rawSelector: STRING, requirements: listOf(REQUIREMENT) }));
const SELECTORS = {
  fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
  labelSelector: selector('kubernetes.LabelSelectorAttributes'),
};
const ATTRIBUTES = {
  namespace: STRING,
  verb: STRING,
  group: STRING,
  version: STRING,
  resource: STRING,
  subresource: STRING,
  name: STRING,
};

/** `request` of authorization: the spec of a SubjectAccessReview, v1. */
export const accessReviewType = (selectors: boolean): ObjectType =>
  record('kubernetes.SubjectAccessReviewSpec', () => ({
    resourceAttributes: record('kubernetes.ResourceAttributes', () => ({
      ...ATTRIBUTES,
      ...(selectors ? SELECTORS : {}),
    })),
    nonResourceAttributes: record('kubernetes.NonResourceAttributes', () => ({ path: STRING, verb: STRING })),
    user: STRING,
    groups: TEXTS,
    extra: mapOf(STRING, TEXTS),
    uid: STRING,
  }));
