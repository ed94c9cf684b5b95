import type { AdmissionAttributes, Operation } from '../../admission/admission-plugin.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';

/** The fields of a persistent volume claim that plug-ins read. */
export interface ClaimObject extends ApiObject {
  readonly spec: {
    readonly storageClassName?: string;
    readonly resources: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status: { readonly phase?: string };
}

/** Returns a predicate for requests that do an operation on a claim itself. */
export const isOfClaim =
  (expected: Operation) =>
  ({ operation, resource, subresource }: AdmissionAttributes): boolean =>
    operation === expected &&
    subresource === '' &&
    resource.group === '' &&
    resource.resource === 'persistentvolumeclaims';

/** Returns the older annotation that names a storage class. */
export const classAnnotation = (dialect: Dialect): string => `volume.beta.${domainName(dialect, 'storage-class')}`;
