import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { containers } from './core-v1/containers.js';
import { kinds } from './core-v1/kinds.js';
import { pod } from './core-v1/pod.js';
import { shared } from './core-v1/shared.js';
import { volumeSources } from './core-v1/volume-sources.js';
import { volumes } from './core-v1/volumes.js';
import type { CoreV1 } from './core-v1.types.js';

/** The structs of core/v1. */
export const coreV1 = /* @__PURE__ */ fieldTable<CoreV1>(
  'io.k8s.api.core.v1',
  { meta: metaV1 },
  shared,
  volumes,
  volumeSources,
  pod,
  containers,
  kinds,
);
