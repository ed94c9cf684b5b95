import { type Dialect, groupOf } from '../../meta/dialect.js';
import { formatQuantity, parseQuantity, roundQuantityUp } from '../../values/quantity.js';
import { type ClaimObject, classAnnotation } from '../storage/claim.js';
import type { UsageEvaluator } from './evaluator.js';

const NAMES = ['persistentvolumeclaims', 'requests.storage', 'count/persistentvolumeclaims'];
const OF_CLASSES = ['requests.storage', 'persistentvolumeclaims'];

/** Claims count for themselves and their size, in all and by class. */
export function claimUsage(dialect: Dialect): UsageEvaluator {
  const infix = `.storageclass.${groupOf(dialect, 'storage')}/`;
  const annotation = classAnnotation(dialect);
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    // It may grow.
    operations: ['CREATE', 'UPDATE'],
    matching: (names) =>
      names.filter((name) => NAMES.includes(name) || OF_CLASSES.some((end) => name.endsWith(infix + end))),
    usage(object) {
      const { metadata, spec } = object as ClaimObject; // of its kind
      const name = metadata.annotations?.[annotation] ?? spec.storageClassName ?? '';
      const size = spec.resources.requests?.['storage'];
      // In whole bytes.
      const amount = size === undefined ? undefined : formatQuantity(roundQuantityUp(parseQuantity(size), 0));
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
