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
    ['gets other modes', {}, { accessModes: ['ReadWriteMany'] }, [SPEC]],
    [
      'gets another sort of volume',
      { volumeMode: 'Block' },
      { volumeMode: 'Filesystem' },
      [SPEC, 'volumeMode Invalid value'],
    ],
    ['gets a sort of volume', {}, { volumeMode: 'Block' }, [SPEC, 'volumeMode Invalid value']],
    ['grows before it is bound', {}, { size: '12G' }, [SPEC]],
    ['grows', bound, { ...bound, size: '12G' }, []],
    ['shrinks before it is bound', {}, { size: '8G' }, [SPEC, size]],
    ['shrinks', bound, { ...bound, size: '8G' }, [size]],
    ['gets a volume and grows', { phase: 'Bound' }, { ...bound, size: '12G' }, []],
    // An annotation used to name the class.
    ['keeps its annotation', { annotations: annotated('x') }, { annotations: annotated('x') }, []],
    ['changes its annotation', { annotations: annotated('x') }, { annotations: annotated('y') }, [A]],
    ['gets an annotation', {}, { annotations: annotated('x') }, [A]],
    ['loses its annotation', { annotations: annotated('x') }, {}, [A]],
    ['changes its class', { storageClassName: 'x' }, { storageClassName: 'y' }, [SPEC]],
    ['gets a class', {}, { storageClassName: 'x' }, []],
    ['loses its class', { storageClassName: 'x' }, {}, [SPEC]],
    ['moves from annotation to field', { annotations: annotated('x') }, { storageClassName: 'x' }, []],
    [
      'says its class in both',
      { annotations: annotated('x') },
      { annotations: annotated('x'), storageClassName: 'x' },
      [],
    ],
    [
      'moves, and says another',
      { annotations: annotated('x') },
      { annotations: annotated('y'), storageClassName: 'x' },
      [A],
    ],
    ['gets a class and an annotation', {}, { annotations: annotated('x'), storageClassName: 'x' }, [A]],
    ['moves to another class', { annotations: annotated('x') }, { storageClassName: 'y' }, [A, SPEC]],
    ['moves back', { storageClassName: 'x' }, { annotations: annotated('x') }, [A, SPEC]],
    [
      'has both, and changes the field',
      { annotations: annotated('x'), storageClassName: 'x' },
      { annotations: annotated('x'), storageClassName: 'y' },
      [SPEC],
    ],
    // The following rows are about attributes of volumes.
    [
      'gets attributes while that is off',
      bound,
      { ...bound, volumeAttributesClassName: 'x' },
      [SPEC, attributes].slice(1),
    ],
    ['loses attributes', { ...bound, volumeAttributesClassName: 'x' }, bound, [SPEC, attributes, attributes]],
  ])('that %s', async (_, before, after, errors) => {
    const found = await updateErrors(
      persistentVolumeClaim,
      claim(after),
      readBody(persistentVolumeClaim, claim(before)),
    );
    expect(short(found)).toEqual(errors);
  });
});

it.each<readonly [title: string, size: string, status: object, refused: string | undefined]>([
  ['that an older server let grow', '8G', { allocatedResources: { storage: '20G' } }, undefined],
  ['whose growth failed', '8G', { allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } }, undefined],
  ['to what it has', '5G', { allocatedResources: { storage: '20G' } }, 'field can not be less than status.capacity'],
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
    ['is elsewhere', { nfs }, { nfs: { ...nfs, path: '/q' } }, [SOURCE]],
    ['is of another sort', { nfs }, { csi }, [SOURCE]],
    ['is a device now', { nfs }, { nfs, volumeMode: 'Block' }, ['volumeMode Invalid value']],
    ['gets a secret for growing', { csi }, secret('a'), []],
    ['changes that secret', secret('a'), secret('b'), [SOURCE]],
    ['loses that secret', secret('a'), { csi }, [SOURCE]],
    ['gets a node', { nfs }, on(['x', '1']), []],
    ['keeps its node', on(['x', '1']), on(['x', '1']), []],
    ['changes its node', on(['x', '1']), on(['x', '2']), ['nodeAffinity Invalid value']],
    ['loses its node', on(['x', '1']), { nfs }, ['nodeAffinity Invalid value']],
    [
      'loses the terms of its node',
      on(['x', '1']),
      { nfs, nodeAffinity: { required: {} } },
      [NO_TERMS, NO_TERMS, 'nodeAffinity Invalid value'],
    ],
    ['renews a label', on([beta, '1']), on([zone, '1']), []],
    ['renews a label and changes it', on([beta, '1']), on([zone, '2']), ['nodeAffinity Invalid value']],
    ['renews one of two', on([beta, '1'], [beta, '2']), on([zone, '1'], [beta, '2']), []],
    ['goes back to an old label', on([zone, '1']), on([beta, '1']), ['nodeAffinity Invalid value']],
    [
      'renews as another label',
      on([beta, '1']),
      on(['topology.kubernetes.io/region', '1']),
      ['nodeAffinity Invalid value'],
    ],
    ['gets a term', on([beta, '1']), on([zone, '1'], ['x', '1']), ['nodeAffinity Invalid value']],
  ])('that %s', async (_, before, after, errors) => {
    const found = await updateErrors(persistentVolume, volume(after), readBody(persistentVolume, volume(before)));
    expect(short(found)).toEqual(errors);
  });
});
