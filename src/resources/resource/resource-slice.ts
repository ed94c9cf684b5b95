import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { defineResource } from '../../registry/resource-definition.js';
import { listAtomic } from '../../schema/authoring.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { isLongerThan } from '../../values/utf8.js';
import { readSemanticVersion } from '../../values/versions.js';
import { coreV1 } from '../core/core-v1.js';
import { validateNodeTerms } from '../core/pod/validation/pod-scheduling-validation.js';
import { age, nameColumn } from '../shared/columns.js';
import {
  validateAttributeName,
  validateDistinct,
  validateDriver,
  validateLabel,
  validatePool,
  validateSubdomain,
} from './lists.js';
import { resourceV1alpha3 } from './resource-v1alpha3.js';
import type { Device, DeviceAttribute, ResourceSlice } from './resource-v1alpha3.types.js';

const MOST_DEVICES = 128;
const MOST_FACTS = 32;
const MAX_TEXT = 64;
const SEMVER = 'semver.org spec';
const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required';

function validateAttribute(value: DeviceAttribute, path: string): FieldError[] {
  const { string, version } = value;
  const errors: FieldError[] = [];
  if (string !== undefined && isLongerThan(string, MAX_TEXT))
    errors.push(fieldError.longerThan(`${path}.string`, MAX_TEXT));
  if (version !== undefined) {
    const at = `${path}.version`;
    if (!readSemanticVersion(version))
      errors.push(fieldError.invalid(at, version, `must be a string compatible with ${SEMVER} 2.0.0`));
    if (isLongerThan(version, MAX_TEXT)) errors.push(fieldError.longerThan(at, MAX_TEXT));
  }
  const presentCount = Object.values(value).filter((each) => each !== undefined).length;
  if (presentCount === 0) errors.push(fieldError.required(path, 'exactly one value must be specified'));
  if (presentCount > 1)
    errors.push(
      fieldError.invalid(
        path,
        printed(printGoSyntax(resourceV1alpha3.struct('DeviceAttribute'), value)),
        'exactly one field must be specified',
      ),
    );
  return errors;
}

function validateDevice({ name, basic }: Device, path: string): FieldError[] {
  const errors = [...validateLabel(name, `${path}.name`)];
  const at = `${path}.basic`;
  if (!basic) return [...errors, fieldError.required(at)];
  const { attributes = {}, capacity = {} } = basic;
  for (const [key, value] of Object.entries(attributes)) {
    errors.push(...validateAttributeName(key, `${at}.attributes`));
    errors.push(...validateAttribute(value, `${at}.attributes[${key}]`));
  }
  for (const key of Object.keys(capacity)) errors.push(...validateAttributeName(key, `${at}.capacity`));
  const facts = Object.keys(attributes).length + Object.keys(capacity).length;
  if (facts > MOST_FACTS)
    errors.push(
      fieldError.invalid(at, facts, `the total number of attributes and capacities must not exceed ${MOST_FACTS}`),
    );
  return errors;
}

function validatePlace({ spec }: ResourceSlice): FieldError[] {
  const { nodeName = '', nodeSelector, allNodes = false } = spec;
  const at = 'spec.nodeSelector';
  const places = [nodeName !== '', nodeSelector !== undefined, allNodes].filter(Boolean).length;
  return [
    ...(nodeName === '' ? [] : validateSubdomain(nodeName, 'spec.nodeName')),
    ...(nodeSelector ? validateNodeTerms(at, nodeSelector) : []),
    ...(nodeSelector && nodeSelector.nodeSelectorTerms?.length !== 1
      ? [
          fieldError.invalid(
            `${at}.nodeSelectorTerms`,
            printed(printGoSyntax(listAtomic(coreV1.struct('NodeSelectorTerm')), nodeSelector.nodeSelectorTerms)),
            'must have exactly one selector term',
          ),
        ]
      : []),
    ...(places === 0 ? [fieldError.required('spec', ONE_OF)] : []),
    ...(places > 1
      ? [fieldError.invalid('spec', printed(printGoSyntax(resourceV1alpha3.struct('ResourceSliceSpec'), spec)), ONE_OF)]
      : []),
  ];
}

function validate(slice: ResourceSlice, old?: ResourceSlice): FieldError[] {
  const { driver, pool, nodeName = '', devices = [] } = slice.spec;
  const { generation, resourceSliceCount } = pool;
  const requireUnchanged = (path: string, value: string, before: string | undefined) =>
    old === undefined || value === (before ?? '') ? [] : [fieldError.invalid(path, value, 'field is immutable')];
  return [
    ...validateDriver(driver, 'spec.driver'),
    ...validatePool(pool.name, 'spec.pool.name'),
    ...(resourceSliceCount > 0
      ? []
      : [fieldError.invalid('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero')]),
    ...(generation < 0
      ? [fieldError.invalid('spec.pool.generation', generation, 'must be greater than or equal to zero')]
      : []),
    ...requireUnchanged('spec.pool.name', pool.name, old?.spec.pool.name),
    ...requireUnchanged('spec.driver', driver, old?.spec.driver),
    ...requireUnchanged('spec.nodeName', nodeName, old?.spec.nodeName),
    ...validatePlace(slice),
    ...validateDistinct(devices, MOST_DEVICES, validateDevice, 'spec.devices', ({ name }) => name, 'name'),
  ];
}

/** resource/v1alpha3 ResourceSlice: devices of one driver in a pool. */
export const resourceSlice = defineResource({
  groupStem: 'resource',
  version: 'v1alpha3',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  metadataChecks: ['changes'],
  scope: 'Cluster',
  tracksGeneration: true,
  returnsDeletedObject: true,
  schema: resourceV1alpha3.struct('ResourceSlice'),
  strategy: { validate: (object) => validate(object), validateUpdate: (next, old) => validate(next, old) },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName,
    'spec.driver': ({ spec }) => spec.driver,
  },
  columns: [
    nameColumn,
    { name: 'Node', type: 'string', description: 'The node of the devices.', cell: ({ spec }) => spec.nodeName ?? '' },
    { name: 'Driver', type: 'string', description: 'The driver.', cell: ({ spec }) => spec.driver },
    { name: 'Pool', type: 'string', description: 'The pool.', cell: ({ spec }) => spec.pool.name },
    age,
  ],
});
