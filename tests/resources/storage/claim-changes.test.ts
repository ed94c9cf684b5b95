import { describe, expect, it } from 'vitest';
import { persistentVolume, persistentVolumeClaim } from '../../../src/exports/kinds.js';
import { readBody, updateErrors } from '../steps.js';

/* Allowed changes of claims and volumes, from upstream's tables: each row has the old and the new object, and the errors. */
const short = (errors: readonly string[]) =>
  errors.map((error) => error.replace(/^(.*?): ([A-Z][a-z ]+)(?::.*)?$/s, '$1 $2'));
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const annotated = (name: string) => ({ [CLASS]: name });

interface Claim {
  readonly annotations?: object;
  readonly size?: string;
  readonly phase?: string;
  readonly capacity?: string;
  readonly [field: string]: unknown;
}
function claim({ annotations = {}, size = '10G', phase = 'Pending', capacity, ...spec }: Claim) {
  return {
    metadata: { name: 'c', annotations },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } }, ...spec },
    status: { phase, ...(capacity === undefined ? {} : { capacity: { storage: capacity } }) },
  };
}
const A = `metadata.annotations.${CLASS} Invalid value`;
const SPEC = 'spec Forbidden';
const size = 'spec.resources.requests.storage Forbidden';
const attributes = 'spec.volumeAttributesClassName Forbidden';
const bound = { phase: 'Bound', volumeName: 'v' };

describe('a PersistentVolumeClaim', () => {
  it.each<readonly [title: string, old: Claim, next: Claim, errors: readonly string[]]>([
    ['changes nothing', {}, {}, []],
    ['gets a volume', {}, { volumeName: 'v' }, []],
    ['gets another volume', { volumeName: 'v' }, { volumeName: 'w' }, [SPEC]],
    ['gets other access modes', {}, { accessModes: ['ReadWriteMany'] }, [SPEC]],
    [
      'gets another volume mode',
      { volumeMode: 'Block' },
      { volumeMode: 'Filesystem' },
      [SPEC, 'volumeMode Invalid value'],
    ],
    ['gets a volume mode', {}, { volumeMode: 'Block' }, [SPEC, 'volumeMode Invalid value']],
    ['grows before it is bound', {}, { size: '12G' }, [SPEC]],
    ['grows', bound, { ...bound, size: '12G' }, []],
    ['shrinks before it is bound', {}, { size: '8G' }, [SPEC, size]],
    ['shrinks', bound, { ...bound, size: '8G' }, [size]],
    ['gets a volume and grows', { phase: 'Bound' }, { ...bound, size: '12G' }, []],
    // An annotation used to name the class.
    ['keeps its class annotation', { annotations: annotated('x') }, { annotations: annotated('x') }, []],
    ['changes its class annotation', { annotations: annotated('x') }, { annotations: annotated('y') }, [A]],
    ['gets a class annotation', {}, { annotations: annotated('x') }, [A]],
    ['loses its class annotation', { annotations: annotated('x') }, {}, [A]],
    ['changes its class', { storageClassName: 'x' }, { storageClassName: 'y' }, [SPEC]],
    ['gets a class', {}, { storageClassName: 'x' }, []],
    ['loses its class', { storageClassName: 'x' }, {}, [SPEC]],
    ['moves its class from annotation to field', { annotations: annotated('x') }, { storageClassName: 'x' }, []],
    [
      'has its class in annotation and field',
      { annotations: annotated('x') },
      { annotations: annotated('x'), storageClassName: 'x' },
      [],
    ],
    [
      'gets a field and changes its class annotation',
      { annotations: annotated('x') },
      { annotations: annotated('y'), storageClassName: 'x' },
      [A],
    ],
    ['gets a class in annotation and field', {}, { annotations: annotated('x'), storageClassName: 'x' }, [A]],
    [
      'moves from annotation to field with another class',
      { annotations: annotated('x') },
      { storageClassName: 'y' },
      [A, SPEC],
    ],
    ['moves its class from field to annotation', { storageClassName: 'x' }, { annotations: annotated('x') }, [A, SPEC]],
    [
      'changes the field beside its class annotation',
      { annotations: annotated('x'), storageClassName: 'x' },
      { annotations: annotated('x'), storageClassName: 'y' },
      [SPEC],
    ],
    // The following rows are about attributes of volumes.
    [
      'gets a VolumeAttributesClass while the feature is off',
      bound,
      { ...bound, volumeAttributesClassName: 'x' },
      [SPEC, attributes].slice(1),
    ],
    [
      'loses its VolumeAttributesClass',
      { ...bound, volumeAttributesClassName: 'x' },
      bound,
      [SPEC, attributes, attributes],
    ],
  ])('is validated if it %s', async (_, before, after, errors) => {
    const found = await updateErrors(
      persistentVolumeClaim,
      claim(after),
      readBody(persistentVolumeClaim, claim(before)),
    );
    expect(short(found)).toEqual(errors);
  });
});

it.each<readonly [title: string, size: string, status: object, refused: string | undefined]>([
  ['whose growth was allocated', '8G', { allocatedResources: { storage: '20G' } }, undefined],
  ['whose growth failed', '8G', { allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } }, undefined],
  [
    'down to its capacity',
    '5G',
    { allocatedResources: { storage: '20G' } },
    'field can not be less than status.capacity',
  ],
  ['that never grew', '8G', {}, 'field can not be less than previous value'],
])('a claim %s may be reduced to %s', async (_, size, growth, refused) => {
  const of = (wanted: string) => {
    const { status, ...rest } = claim({ ...bound, size: wanted, capacity: '5G' });
    return { ...rest, status: { ...status, ...growth } };
  };
  const found = await updateErrors(persistentVolumeClaim, of(size), readBody(persistentVolumeClaim, of('10G')));
  expect(found).toEqual(refused === undefined ? [] : [`spec.resources.requests.storage: Forbidden: ${refused}`]);
});

describe('fields of the status of a claim', () => {
  const old = readBody(persistentVolumeClaim, claim(bound));
  const growing = (amounts: object, states: object = {}) => ({
    ...claim(bound),
    status: { phase: 'Bound', allocatedResources: amounts, allocatedResourceStatuses: states },
  });
  const R = 'status.allocatedResources';
  it.each<readonly [amounts: object, states: object, errors: readonly string[]]>([
    [{ storage: '10G' }, {}, []],
    [{ storage: '-10G' }, {}, [`${R}[storage] Invalid value`]],
    [{ cpu: '1' }, {}, [`${R} Unsupported value`]],
    [{ 'example.com/x': '10G' }, { 'example.com/x': 'NodeResizePending' }, []],
    [{ '!': '1' }, {}, [`${R} Invalid value`]],
    [{ storage: '10G' }, { storage: 'ControllerResizeInProgress' }, []],
    [{ storage: '10G' }, { storage: 'ControllerResizeInfeasible' }, []],
    [{ storage: '10G' }, { storage: 'Shrinking' }, ['status.allocatedResourceStatus Unsupported value']],
    [{}, { cpu: 'NodeResizePending' }, ['status.allocatedResourceStatus Unsupported value']],
  ])('%j %j', async (amounts, states, errors) => {
    expect(short(await updateErrors(persistentVolumeClaim, growing(amounts, states), old, 'status'))).toEqual(errors);
  });
});

describe('a PersistentVolume', () => {
  const volume = (spec: object) => ({
    metadata: { name: 'v' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  });
  const nfs = { server: 's', path: '/p' };
  const csi = { driver: 'd', volumeHandle: 'h' };
  const on = (...terms: readonly (readonly [key: string, value: string])[]) => ({
    nfs,
    nodeAffinity: {
      required: {
        nodeSelectorTerms: terms.map(([key, value]) => ({
          matchExpressions: [{ key, operator: 'In', values: [value] }],
        })),
      },
    },
  });
  const secret = (name: string) => ({ csi: { ...csi, controllerExpandSecretRef: { name, namespace: 'n' } } });
  const SOURCE = 'spec.persistentvolumesource Forbidden';
  const NO_TERMS = 'spec.nodeAffinity.required.nodeSelectorTerms Required value';
  const beta = 'failure-domain.beta.kubernetes.io/zone';
  const zone = 'topology.kubernetes.io/zone';
  it.each<readonly [title: string, old: object, next: object, errors: readonly string[]]>([
    ['changes nothing', { nfs }, { nfs }, []],
    ['grows', { nfs }, { nfs, capacity: { storage: '2Gi' } }, []],
    ['changes its path', { nfs }, { nfs: { ...nfs, path: '/q' } }, [SOURCE]],
    ['changes its type', { nfs }, { csi }, [SOURCE]],
    ['becomes a block device', { nfs }, { nfs, volumeMode: 'Block' }, ['volumeMode Invalid value']],
    ['gets a secret for expansion', { csi }, secret('a'), []],
    ['changes its secret for expansion', secret('a'), secret('b'), [SOURCE]],
    ['loses its secret for expansion', secret('a'), { csi }, [SOURCE]],
    ['gets node affinity', { nfs }, on(['x', '1']), []],
    ['keeps its node affinity', on(['x', '1']), on(['x', '1']), []],
    ['changes its node affinity', on(['x', '1']), on(['x', '2']), ['nodeAffinity Invalid value']],
    ['loses its node affinity', on(['x', '1']), { nfs }, ['nodeAffinity Invalid value']],
    [
      'loses the terms of its node affinity',
      on(['x', '1']),
      { nfs, nodeAffinity: { required: {} } },
      [NO_TERMS, NO_TERMS, 'nodeAffinity Invalid value'],
    ],
    ['replaces a beta label by its successor', on([beta, '1']), on([zone, '1']), []],
    [
      'replaces a beta label by another value of its successor',
      on([beta, '1']),
      on([zone, '2']),
      ['nodeAffinity Invalid value'],
    ],
    ['replaces one of two beta labels', on([beta, '1'], [beta, '2']), on([zone, '1'], [beta, '2']), []],
    ['returns to a beta label', on([zone, '1']), on([beta, '1']), ['nodeAffinity Invalid value']],
    [
      'replaces a beta label by another label',
      on([beta, '1']),
      on(['topology.kubernetes.io/region', '1']),
      ['nodeAffinity Invalid value'],
    ],
    ['gets another node affinity term', on([beta, '1']), on([zone, '1'], ['x', '1']), ['nodeAffinity Invalid value']],
  ])('is validated if it %s', async (_, before, after, errors) => {
    const found = await updateErrors(persistentVolume, volume(after), readBody(persistentVolume, volume(before)));
    expect(short(found)).toEqual(errors);
  });
});
