import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { runtimeClass } from './runtime-class.js';

export type { RuntimeClass } from './node-v1.types.js';
export { runtimeClass };

/** The kinds of the group node. */
export const nodeKinds: readonly ResourceDefinition[] = [runtimeClass];
