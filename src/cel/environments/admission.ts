import type { Bindings } from '../compile/program.js';
import type { Composition, LazyValues } from '../contexts/variables.js';
import type { VariableDeclaration } from '../declarations.js';
import type { Environment } from '../environment.js';
import {
  authorizationTypes,
  authorizerValue,
  type CheckAuthorization,
  resourceCheckValue,
} from '../libraries/authorizer.js';
import { DYN, type Type } from '../typing/type.js';
import type { TypePackage } from '../typing/type-package.js';
import { adaptDynamic } from '../values/natives.js';
import type { Outcome, Value } from '../values/value.js';
import { type ReleaseEnvironmentOptions, releaseEnvironment } from './release-environment.js';
import { requestTypes } from './request-types.js';

/** The options of {@link admissionEnvironment}. */
export interface AdmissionEnvironmentOptions extends ReleaseEnvironmentOptions {
  /** Whether the policy has parameters and therefore a variable `params`. Default: false. */
  readonly params?: boolean;
  /** The type of `object` and `oldObject`. Default: dyn. */
  readonly object?: Type;
  /** The type of `params`. Default: dyn. */
  readonly paramsType?: Type;
  /** Whether the variables `authorizer` and `authorizer.requestResource` exist; `alone`: only the former. Default: false. */
  readonly authorizer?: boolean | 'alone';
  /** The fields of the variable `variables`. Default: there is no such variable. */
  readonly variables?: Composition;
}

/** Makes the environment of admission policies and of match conditions of webhooks. */
export function admissionEnvironment(options: AdmissionEnvironmentOptions = {}): Environment {
  const { object = DYN, paramsType = DYN, typePackage } = options;
  const { namespace, admissionRequest } = requestTypes(typePackage);
  const variables: VariableDeclaration[] = [
    { name: 'object', type: object },
    { name: 'oldObject', type: object },
    { name: 'namespaceObject', type: namespace },
    { name: 'request', type: admissionRequest },
  ];
  if (options.params === true) variables.push({ name: 'params', type: paramsType });
  if (options.authorizer) {
    const { authorizer, resourceCheck } = authorizationTypes(typePackage);
    variables.push({ name: 'authorizer', type: authorizer });
    if (options.authorizer === true) variables.push({ name: 'authorizer.requestResource', type: resourceCheck });
  }
  if (options.variables !== undefined) variables.push({ name: 'variables', type: options.variables.type });
  return releaseEnvironment(variables, options);
}

/** An AdmissionRequest as webhooks receive it; `uid`, `object` and `oldObject` are ignored. */
export type AdmissionRequest = Readonly<Record<string, unknown>>;

/** The values of the variables in one request. Undefined and null values are null to expressions. */
export interface AdmissionValues {
  /** The object after the request, as JSON; null when it is deleted. */
  readonly object?: unknown;
  /** The object before the request, as JSON; null when it is created. */
  readonly oldObject?: unknown;
  readonly request: AdmissionRequest;
  readonly params?: unknown;
  /**
   * The namespace of the object, as JSON; null for a cluster-scoped object. The checker refuses expressions that read a member that the
   * type of `namespaceObject` does not declare.
   */
  readonly namespaceObject?: unknown;
  /** Decides the authorization checks that expressions make with `authorizer`. */
  readonly authorize?: CheckAuthorization | undefined;
  /** The package of the environment's types. Default: `kubernetes`. */
  readonly typePackage?: TypePackage | undefined;
}

const json = (member: unknown): Outcome => adaptDynamic(member ?? null) ?? null;

/**
 * Returns the values of the CEL variables for one request.
 * @param variables the value of `variables`, the named expressions of a policy. Default: the variable has no value.
 */
export function admissionBindings(values: AdmissionValues, variables?: LazyValues): Bindings {
  const { object, oldObject, request, params, namespaceObject, authorize, typePackage } = values;
  const bindings: Record<string, Value | (() => Outcome)> = {
    object: () => json(object),
    oldObject: () => json(oldObject),
    params: () => json(params),
    request: () => json(request),
    namespaceObject: () => json(namespaceObject),
  };
  if (variables !== undefined) bindings['variables'] = variables;
  if (authorize === undefined) return bindings;
  bindings['authorizer'] = authorizerValue(authorize, typePackage);
  bindings['authorizer.requestResource'] = () => resourceCheckValue(authorize, checkOf(request), typePackage);
  return bindings;
}

/**
 * Returns the values of the CEL variables for match conditions. `namespaceObject` is null. `request.resource` is the resource that the
 * client requested, even if the webhook matches an equivalent version of it.
 */
export const matchBindings = (values: AdmissionValues): Bindings => ({
  ...admissionBindings(values),
  namespaceObject: null,
  request: () => {
    const { request } = values;
    const { requestResource: resource = request['resource'] } = request;
    return json(resource === undefined ? request : { ...request, resource });
  },
});

/** Returns an authorization check for the object of the request, without a verb. */
function checkOf(request: AdmissionRequest) {
  const { requestResource, requestSubResource, namespace, name } = request;
  const { group, resource } = (requestResource ?? {}) as Readonly<Record<string, unknown>>;
  return {
    group: textOf(group),
    resource: textOf(resource),
    subresource: textOf(requestSubResource),
    namespace: textOf(namespace),
    name: textOf(name),
  };
}
const textOf = (member: unknown): string => (typeof member === 'string' ? member : '');
