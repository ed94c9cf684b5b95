import { type FieldError, fieldError } from '../../meta/field-error.js';
import { configMapKey, qualifiedName } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { readSemanticVersion } from '../../values/versions.js';
import { age, nameColumn } from '../shared/columns.js';
import { coordinationV1alpha1 } from './coordination-v1alpha1.js';
import type { LeaseCandidate } from './coordination-v1alpha1.types.js';

const OLDEST = 'OldestEmulationVersion';

const NUMBER = /^\d+$/;
/** The version 0.0.0. It replaces a binary or emulation version that is absent or cannot be parsed. */
const ZERO: readonly string[] = ['0', '0', '0'];
const isZero = (version: readonly string[]) => version.join('.') === '0.0.0';

const compareNumbers = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

/** Whether version `a` is older than `b`. Numbers are compared by value and precede words. A pre-release precedes its release. */
function isOlder(a: readonly string[], b: readonly string[]): boolean {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]];
    if (one === other) continue;
    // A version without a pre-release is newer than the same version with one. If one pre-release begins with the other, the longer one is
    // newer.
    if (one === undefined) return i > 3;
    if (other === undefined) return i === 3;
    if (NUMBER.test(one) !== NUMBER.test(other)) return NUMBER.test(one);
    return NUMBER.test(one) ? compareNumbers(one, other) < 0 : one < other;
  }
  return false;
}

function validateSpec({ spec: candidateSpec }: LeaseCandidate): FieldError[] {
  const { leaseName, binaryVersion = '', emulationVersion = '', preferredStrategies } = candidateSpec;
  const errors: FieldError[] = leaseName === '' ? [fieldError.required('spec.leaseName')] : [];
  const read = (field: string, version: string) => {
    const parts = version === '' ? ZERO : readSemanticVersion(version);
    if (!parts) errors.push(fieldError.invalid(`spec.${field}`, version, 'must be a valid semantic version'));
    return parts ?? ZERO;
  };
  const emulated = read('emulationVersion', emulationVersion);
  const binary = read('binaryVersion', binaryVersion);
  if (binaryVersion !== '' && emulationVersion !== '' && isOlder(binary, emulated))
    errors.push(
      fieldError.invalid('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`'),
    );
  const path = 'spec.preferredStrategies';
  const strategies = preferredStrategies ?? [];
  if (strategies.length === 0) errors.push(fieldError.required(path, 'must contain at least one strategy'));
  const needed = `must be specified when \`strategy\` is '${OLDEST}'`;
  for (const [i, strategy] of strategies.entries()) {
    if (strategy === OLDEST) {
      if (isZero(binary)) errors.push(fieldError.required('spec.binaryVersion', needed));
      if (isZero(emulated)) errors.push(fieldError.required('spec.emulationVersion', needed));
    }
    errors.push(...validateStrategy(strategy, `${path}[${i}].strategy`));
  }
  return errors;
}

function validateStrategy(strategy: string, path: string): FieldError[] {
  if (strategy.includes('/')) return qualifiedName(strategy).map((why) => fieldError.invalid(path, strategy, why));
  return strategy === OLDEST ? [] : [fieldError.notSupported(path, strategy, [OLDEST])];
}

/** coordination/v1alpha1 LeaseCandidate: a candidate for holding a lease. */
export const leaseCandidate = defineResource({
  groupStem: 'coordination',
  version: 'v1alpha1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  genericMetadata: true,
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  schema: coordinationV1alpha1.struct('LeaseCandidate'),
  nameRule: configMapKey,
  strategy: {
    validate: validateSpec,
    validateUpdate: (next, old) => [
      ...validateSpec(next),
      ...(next.spec.leaseName === old.spec.leaseName
        ? []
        : [fieldError.invalid('spec.leaseName', next.spec.leaseName, 'field is immutable')]),
    ],
  },
  columns: [
    nameColumn,
    {
      name: 'LeaseName',
      type: 'string',
      description: 'The lease that the candidate wants to hold.',
      cell: ({ spec }) => spec.leaseName,
    },
    {
      name: 'BinaryVersion',
      type: 'string',
      description: 'The version of the candidate.',
      cell: ({ spec }) => spec.binaryVersion ?? '',
    },
    {
      name: 'EmulationVersion',
      type: 'string',
      description: 'The version that the candidate emulates.',
      cell: ({ spec }) => spec.emulationVersion ?? '',
    },
    age,
  ],
});
