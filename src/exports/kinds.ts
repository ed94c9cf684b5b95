/** `orch-apiserver/kinds`: the built-in kinds, each a definition and the type of its objects; by group, and all. */
export * from '../resources/admissionregistration/index.js';
export * from '../resources/apps/index.js';
export * from '../resources/authentication/index.js';
export * from '../resources/authorization/index.js';
export * from '../resources/batch/index.js';
export * from '../resources/certificates/index.js';
export * from '../resources/coordination/index.js';
export * from '../resources/core/index.js';
export * from '../resources/discovery/index.js';
export * from '../resources/events/index.js';
export * from '../resources/flowcontrol/index.js';
export { builtinResources } from '../resources/index.js';
export * from '../resources/networking/index.js';
export * from '../resources/node/index.js';
export * from '../resources/policy/index.js';
export * from '../resources/rbac/index.js';
export * from '../resources/scheduling/index.js';
export * from '../resources/storage/index.js';
