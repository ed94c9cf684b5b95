import type { AdmissionPlugin } from '../admission/admission-plugin.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Storage } from '../store/storage.js';
import type { ServedForm } from './served-form.js';
import type { ServedResource } from './served-resource.js';

/** What every write of one resource works with. */
export interface WriteEnvironment {
  readonly resource: ServedResource;
  readonly storage: Storage<ApiObject>;
  readonly form: ServedForm;
  /** The admission chain, in run order. */
  readonly admission: readonly AdmissionPlugin[];
}
