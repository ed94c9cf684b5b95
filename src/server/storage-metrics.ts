import type { ApiObject } from '../meta/object-meta.js';
import { gauge } from '../metrics/families.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { Storage } from '../store/storage.js';

const objects = gauge(
  'apiserver_storage_objects',
  'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
  ['resource'],
  { stability: 'STABLE' },
);

/** Collects the number of stored objects of each kind. */
export function collectObjects(metrics: Metrics, registry: ResourceRegistry, storage: Storage<ApiObject>): void {
  metrics.collect(objects, () =>
    registry.current
      .stored()
      .map(({ groupResource: { group, resource }, keyPrefix }) => [
        [group === '' ? resource : `${resource}.${group}`],
        storage.count(keyPrefix),
      ]),
  );
}
