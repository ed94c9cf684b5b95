import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain, pathSegment } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { listSet, string } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { age, nameColumn } from '../shared/columns.js';
import { printSelector } from '../shared/selected-pods.js';
import { oneOf, validateOptional, validateRequired } from '../shared/value-rules.js';
import { admissionregistrationV1 } from './admissionregistration-v1.js';
import type { ParamRef, ValidatingAdmissionPolicyBinding } from './admissionregistration-v1.types.js';
import { setMatchDefaults } from './match-defaults.js';
import { oneOfSupported, validateMatchResources } from './rule-validation.js';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];

const actions = listSet(string<string>({ enum: ACTIONS, typeName: 'v1.ValidationAction' }));

function validateBinding({
  spec: { policyName = '', paramRef: ref, matchResources: match, validationActions = [] },
}: ValidatingAdmissionPolicyBinding): FieldError[] {
  return [
    ...validateRequired('spec.policyName', policyName, dns1123Subdomain),
    ...(ref ? validateParamRef(ref, 'spec.paramRef') : []),
    // As in upstream, `matchResources` is misspelled in this path.
    ...validateMatchResources(match, 'spec.matchResouces'),
    ...validateActions(validationActions, 'spec.validationActions'),
  ];
}

function validateParamRef({ name = '', selector, parameterNotFoundAction }: ParamRef, path: string): FieldError[] {
  const exclusive = 'name and selector are mutually exclusive';
  const both = name !== '' && selector !== undefined;
  return [
    ...validateOptional(`${path}.name`, name, pathSegment),
    ...(both ? [fieldError.forbidden(`${path}.name`, exclusive)] : []),
    ...(selector ? validateLabelSelector(selector, `${path}.selector`) : []),
    ...(both ? [fieldError.forbidden(`${path}.selector`, exclusive)] : []),
    ...(name === '' && !selector ? [fieldError.required(path, 'one of name or selector must be specified')] : []),
    ...oneOf(`${path}.parameterNotFoundAction`, parameterNotFoundAction, NOT_FOUND_ACTIONS),
  ];
}

function validateActions(validationActions: readonly string[], path: string): FieldError[] {
  if (validationActions.length === 0) return [fieldError.required(path, 'at least one validation action is required')];
  const errors = validationActions.flatMap((action, i) => [
    ...oneOfSupported(`${path}[${i}]`, action, ACTIONS),
    ...(validationActions.indexOf(action) < i ? [fieldError.duplicate(`${path}[${i}]`, action)] : []),
  ]);
  if (!validationActions.includes('Deny') || !validationActions.includes('Warn')) return errors;
  const shown = printed(printGoSyntax(actions, validationActions, 'admissionregistration'));
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...errors, fieldError.invalid(path, shown, why)];
}

function paramCell({ spec: { paramRef: ref } }: ValidatingAdmissionPolicyBinding): string {
  if (!ref) return '<unset>';
  if (ref.name !== undefined) return `${ref.namespace ?? '*'}/${ref.name}`;
  return ref.selector ? printSelector(ref.selector) : '<unset>';
}

/** admissionregistration/v1 ValidatingAdmissionPolicyBinding: puts a policy into effect, and may give it parameters. */
export const validatingAdmissionPolicyBinding = defineResource({
  groupStem: 'admissionregistration',
  version: 'v1',
  knownVersions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  genericMetadata: true,
  metadataChecks: ['whole'],
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  schema: admissionregistrationV1.struct('ValidatingAdmissionPolicyBinding'),
  setDefaults: (draft) => setMatchDefaults(draft.spec.matchResources),
  strategy: { validate: validateBinding },
  columns: [
    nameColumn,
    {
      name: 'PolicyName',
      type: 'string',
      description: 'The name of the policy.',
      cell: ({ spec: { policyName = '' } }) => policyName,
    },
    {
      name: 'ParamRef',
      type: 'string',
      description: 'The parameters.',
      cell: paramCell,
    },
    age,
  ],
});
