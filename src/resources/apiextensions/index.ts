import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { customResourceDefinition } from './custom-resource-definition.js';

export type { CustomResourceDefinition } from './crd-schema.js';
export { customResourceDefinition } from './custom-resource-definition.js';
export type { JSONSchemaProps, ValidationRule } from './json-schema-props.js';

/** The kinds of the group apiextensions. */
export const apiextensionsKinds: readonly ResourceDefinition[] = [customResourceDefinition];
