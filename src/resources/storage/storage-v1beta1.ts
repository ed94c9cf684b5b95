import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { StorageV1beta1 } from './storage-v1beta1.types.js';

/** The structs of storage/v1beta1. */
export const storageV1beta1 = /* @__PURE__ */ fieldTable<StorageV1beta1>(
  'io.k8s.api.storage.v1beta1',
  { meta: metaV1 },
  `
VolumeAttributesClass kind     Attributes that volumes can be changed to.
  driverName  2  string!       The driver of the volumes; immutable.
  parameters  3  map(string)?  Parameters for the driver; immutable.
`,
);
