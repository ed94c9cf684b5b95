import { type Dialect, k8s } from '../../meta/dialect.js';
import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { SCHEMA_EXTENSION_PREFIXES } from '../../schema/extensions.js';
import type { CustomResourceDefinition } from './apiextensions-v1.types.js';

export type { CustomResourceDefinition } from './apiextensions-v1.types.js';
export type { JSONSchemaProps, ValidationRule } from './json-schema-props.js';

const byPrefix = /* @__PURE__ */ new Map<string, typeof customResourceDefinition>();

function define(prefix: string, prefixes?: readonly string[]) {
  return defineKind(
    {
      groupStem: 'apiextensions',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      scope: 'Cluster',
      // The reference stores definitions in v1beta1.
      storedVersion: 'v1beta1',
      allowUnconditionalUpdate: false,
      genericMetadata: true,
      subresources: { status: {} },
      ...(prefixes ? {} : { inDialect }),
    },
    async () => (await import('./custom-resource-definition.js')).crdRules(prefix, prefixes),
  );
}

/** Returns the kind for a dialect. Each dialect writes schema extensions with its own prefix and reads the prefixes of all. */
function inDialect({ schemaExtensionPrefix: prefix }: Dialect): typeof customResourceDefinition {
  if (prefix === k8s.schemaExtensionPrefix) return customResourceDefinition;
  let definition = byPrefix.get(prefix);
  if (!definition) byPrefix.set(prefix, (definition = define(prefix, SCHEMA_EXTENSION_PREFIXES)));
  return definition;
}

/** apiextensions/v1 CustomResourceDefinition: a kind that is served as long as the object exists. */
export const customResourceDefinition: ResourceDefinition<CustomResourceDefinition> = define(k8s.schemaExtensionPrefix);

/** The kinds of the group apiextensions. */
export const apiextensionsKinds: readonly ResourceDefinition[] = [customResourceDefinition];
