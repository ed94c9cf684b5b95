import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { FeatureGates } from '../../meta/features/gates.js';
import type { PersistentVolumeClaim } from '../../resources/core/core-v1.types.js';
import { storageClassAnnotation } from '../../resources/core/volumes/storage-class-annotation.js';
import { formatQuantity, parseQuantity, roundQuantityUp } from '../../values/quantity.js';
import { compareAmounts } from '../amounts.js';
import type { UsageEvaluator } from './evaluator.js';

const NAMES = ['persistentvolumeclaims', 'requests.storage', 'count/persistentvolumeclaims'];
const OF_CLASSES = ['requests.storage', 'persistentvolumeclaims'];

/** Rounds a size up to whole bytes. */
const rounded = (size: string): string => formatQuantity(roundQuantityUp(parseQuantity(size), 0));

/** Returns the usage of claims: their number and their size, in total and by storage class. */
export function claimUsage(dialect: Dialect, gates: FeatureGates): UsageEvaluator<PersistentVolumeClaim> {
  const infix = `.storageclass.${groupOf(dialect, 'storage')}/`;
  const annotation = storageClassAnnotation(dialect);
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    // An update can make a claim larger.
    operations: ['CREATE', 'UPDATE'],
    matching: (names) =>
      names.filter((name) => NAMES.includes(name) || OF_CLASSES.some((end) => name.endsWith(infix + end))),
    usage({ metadata, spec, status }) {
      const name = metadata.annotations?.[annotation] ?? spec.storageClassName ?? '';
      const size = spec.resources.requests?.['storage'];
      let amount = size === undefined ? undefined : rounded(size);
      // An earlier, larger request may already have been allocated, so the larger of the two counts.
      const allocated = gates.RecoverVolumeExpansionFailure ? status.allocatedResources?.['storage'] : undefined;
      if (amount !== undefined && allocated !== undefined && compareAmounts(allocated, amount) > 0)
        amount = rounded(allocated);
      return {
        persistentvolumeclaims: '1',
        'count/persistentvolumeclaims': '1',
        ...(amount === undefined ? {} : { 'requests.storage': amount }),
        ...(name === '' ? {} : { [`${name}${infix}persistentvolumeclaims`]: '1' }),
        ...(name === '' || amount === undefined ? {} : { [`${name}${infix}requests.storage`]: amount }),
      };
    },
  };
}
