import { once } from '../../values/memoize.js';
import { quantityType } from '../libraries/quantity.js';
import {
  ANY,
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
import { byPackage } from '../typing/type-package.js';

/**
 * Returns the object type of a value that the server passes to expressions. Only the checker uses this type: at run time the value is a
 * plain JSON map, so reading an absent member gives `no such key`, and a time is a string.
 */
function record(name: string, fields: () => Readonly<Record<string, Type>>): ObjectType {
  const known = once(() => new Map(Object.entries(fields()).map(([property, type]) => [property, { type, property }])));
  return objectType(name, { get: (field) => known().get(field), names: () => known().keys() });
}

const TEXTS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);

/** Returns the types of the variables that describe a request, in the given package of types. */
export const requestTypes = byPackage((typePackage) => {
  const own = (name: string, fields: () => Readonly<Record<string, Type>>) => record(`${typePackage}.${name}`, fields);
  const userInfo = own('UserInfo', () => ({
    username: STRING,
    uid: STRING,
    groups: TEXTS,
    extra: mapOf(STRING, TEXTS),
  }));
  const kind = own('GroupVersionKind', () => ({ group: STRING, version: STRING, kind: STRING }));
  const resource = own('GroupVersionResource', () => ({ group: STRING, version: STRING, resource: STRING }));
  const requirement = own('SelectorRequirement', () => ({ key: STRING, operator: STRING, values: TEXTS }));
  const selector = (name: string) => own(name, () => ({ rawSelector: STRING, requirements: listOf(requirement) }));
  const selectors = {
    fieldSelector: selector('FieldSelectorAttributes'),
    labelSelector: selector('LabelSelectorAttributes'),
  };
  const accessReview = (more: Readonly<Record<string, Type>>) =>
    own('SubjectAccessReviewSpec', () => ({
      resourceAttributes: own('ResourceAttributes', () => ({ ...ATTRIBUTES, ...more })),
      nonResourceAttributes: own('NonResourceAttributes', () => ({ path: STRING, verb: STRING })),
      user: STRING,
      groups: TEXTS,
      extra: mapOf(STRING, TEXTS),
      uid: STRING,
    }));
  return {
    /** The type of `user` in authentication and `request.userInfo` in admission. */
    userInfo,
    /** The type of `request` in admission: an AdmissionRequest without `uid`, `object` and `oldObject`. */
    admissionRequest: own('AdmissionRequest', () => ({
      kind,
      resource,
      subResource: STRING,
      requestKind: kind,
      requestResource: resource,
      requestSubResource: STRING,
      name: STRING,
      namespace: STRING,
      operation: STRING,
      userInfo,
      dryRun: BOOL,
      options: DYN,
    })),
    namespace: namespaceType(own),
    /** The type of `request` in authorization: the spec of a SubjectAccessReview v1. */
    accessReview: accessReview({}),
    /** `accessReview` for the option `authorizerSelectors`: its `resourceAttributes` also have `fieldSelector` and `labelSelector`. */
    accessReviewWithSelectors: accessReview(selectors),
    device: own('DRADevice', () => ({
      driver: STRING,
      attributes: mapOf(STRING, mapOf(STRING, ANY)),
      capacity: mapOf(STRING, mapOf(STRING, quantityType(typePackage))),
    })),
  };
});

/** The type of `namespaceObject` in admission. It declares `UID`, which namespaces do not have: the actual member is `uid`. */
const namespaceType = (own: typeof record): ObjectType =>
  own('Namespace', () => ({
    metadata: own('NamespaceMetadata', () => ({
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
    spec: own('NamespaceSpec', () => ({ finalizers: TEXTS })),
    status: own('NamespaceStatus', () => ({
      conditions: listOf(
        own('NamespaceCondition', () => ({
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

const ATTRIBUTES = {
  namespace: STRING,
  verb: STRING,
  group: STRING,
  version: STRING,
  resource: STRING,
  subresource: STRING,
  name: STRING,
};
