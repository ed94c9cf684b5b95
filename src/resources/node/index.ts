import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { runtimeClass } from './runtime-class.js';

export { type RuntimeClass, runtimeClass } from './runtime-class.js';

/** The kinds of the group node. */
export const nodeKinds: readonly ResourceDefinition[] = [runtimeClass];
