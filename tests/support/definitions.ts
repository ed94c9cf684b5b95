/** Returns a CustomResourceDefinition for the dialect `k8s`, with one version, `v1`. */
export function definitionOf(
  plural: string,
  kind: string,
  {
    group = 'example.com',
    schema = { type: 'object' },
  }: {
    readonly group?: string;
    readonly schema?: object;
  } = {},
) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition' as const,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced' as const,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Returns the same definition for the dialect `orch`. */
export const orchDefinitionOf = (...of: Parameters<typeof definitionOf>) => ({
  ...definitionOf(...of),
  apiVersion: 'apiextensions.orch.io/v1',
});
