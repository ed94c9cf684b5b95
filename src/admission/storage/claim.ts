import { type Dialect, domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { AdmissionAttributes, Operation } from '../admission-plugin.js';

/** What plug-ins look at in a persistent volume claim. */
export interface ClaimObject extends ApiObject {
  readonly spec: {
    readonly storageClassName?: string;
    readonly resources: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status: { readonly phase?: string };
}

/** Whether a request does this to a claim itself. */
export const isOfClaim =
  (wanted: Operation) =>
  ({ operation, resource, subresource }: AdmissionAttributes): boolean =>
    operation === wanted &&
    subresource === '' &&
    resource.group === '' &&
    resource.resource === 'persistentvolumeclaims';

/** The annotation that named a class before there was a field. */
export const classAnnotation = (dialect: Dialect): string => `volume.beta.${domainName(dialect, 'storage-class')}`;
