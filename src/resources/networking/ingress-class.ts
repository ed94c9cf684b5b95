import { domainPrefixedPath } from '../../meta/domain-prefixed-path.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { isLongerThan } from '../../values/utf8.js';
import { age, nameColumn } from '../shared/columns.js';
import { networkingV1 } from './networking-v1.js';
import type { IngressClass, IngressClassParametersReference } from './networking-v1.types.js';
import { validateTypedReference } from './typed-reference.js';

const MAX_CONTROLLER = 250;
const SCOPES = ['Cluster', 'Namespace'];

function setDefaults({ spec }: Draft<IngressClass>): void {
  if (spec.parameters) spec.parameters.scope ??= 'Cluster';
}

const validate = ({ spec: { controller = '', parameters } }: IngressClass): FieldError[] => [
  ...(isLongerThan(controller, MAX_CONTROLLER) ? [fieldError.tooLong('spec.controller', MAX_CONTROLLER)] : []),
  ...domainPrefixedPath('spec.controller', controller),
  ...(parameters ? validateParameters(parameters, 'spec.parameters') : []),
];

function validateParameters(parameters: IngressClassParametersReference, path: string): FieldError[] {
  const { scope, namespace } = parameters;
  return [...validateTypedReference(parameters, path), ...validateScope(path, scope, namespace)];
}

function validateScope(path: string, scope: string | undefined, namespace: string | undefined): FieldError[] {
  const at = `${path}.namespace`;
  if (scope === undefined) return [fieldError.required(`${path}.scope`)];
  if (!SCOPES.includes(scope)) return [fieldError.notSupported(`${path}.scope`, scope, SCOPES)];
  if (scope === 'Cluster')
    return namespace === undefined ? [] : [fieldError.forbidden(at, "`parameters.scope` is set to 'Cluster'")];
  if (namespace === undefined) return [fieldError.required(at, "`parameters.scope` is set to 'Namespace'")];
  return dns1123Label(namespace).map((message) => fieldError.invalid(at, namespace, message));
}

function validateUpdate(next: IngressClass, old: IngressClass): FieldError[] {
  const { controller = '' } = next.spec;
  const isFixed = controller === (old.spec.controller ?? '');
  return [
    ...(isFixed ? [] : [fieldError.invalid('spec.controller', controller, 'field is immutable')]),
    METADATA_CHECK,
    ...validate(next),
  ];
}

function parametersCell({ spec: { parameters } }: IngressClass): string {
  if (parameters === undefined) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

/** networking/v1 IngressClass: a class of ingresses, and the controller that implements it. */
export const ingressClass = defineResource({
  groupStem: 'networking',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
  tracksGeneration: true,
  schema: networkingV1.struct('IngressClass'),
  setDefaults,
  strategy: { validate, validateUpdate },
  columns: [
    nameColumn,
    {
      name: 'Controller',
      type: 'string',
      description: 'The controller that serves the class.',
      cell: ({ spec }) => spec.controller ?? '',
    },
    {
      name: 'Parameters',
      type: 'string',
      description: 'The object with further settings.',
      cell: parametersCell,
    },
    age,
  ],
});
