/** The public functions of field ownership, for the registry and the request handlers. */
export { applyInSteps } from './apply-ownership.js';
export { decodeManagedFields, UndecodableManagedFields } from './managed-fields.js';
export { managerName } from './manager-name.js';
export type { Convert } from './merge/versions.js';
export { ownersOfPart, ownersOfWhole } from './part-ownership.js';
export { trackOwnership } from './track-ownership.js';
export { dropUndeclared } from './typed/undeclared.js';
