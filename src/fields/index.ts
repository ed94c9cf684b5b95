/** The front door of field ownership: what the registry and the request handlers need. */
export { type ApplyOptions, applyInSteps, applyOwnership } from './apply-ownership.js';
export { decodeManagedFields, UndecodableManagedFields } from './managed-fields.js';
export { MAX_MANAGER_NAME, managerName } from './manager-name.js';
export type { Convert, Typed } from './merge/versions.js';
export type { OwnershipOptions } from './ownership-options.js';
export { type TrackOptions, trackOwnership } from './track-ownership.js';
export { dropUndeclared } from './typed/undeclared.js';
