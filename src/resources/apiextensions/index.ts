import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { customResourceDefinition } from './custom-resource-definition.js';

export type { CustomResourceDefinition } from './apiextensions-v1.types.js';
export type { JSONSchemaProps, ValidationRule } from './json-schema-props.js';
export { customResourceDefinition };

/** The kinds of the group apiextensions. */
export const apiextensionsKinds: readonly ResourceDefinition[] = [customResourceDefinition];
