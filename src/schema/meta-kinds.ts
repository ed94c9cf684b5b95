import type { GroupVersionKind } from '../meta/group-version.js';
import { required, string, struct, structSchema } from './authoring.js';
import { metaV1 } from './meta-v1.js';
import type { MetaV1 } from './meta-v1.types.js';
import type { OpenApiRoot } from './openapi.js';
import type { ObjectSchema } from './schema.js';

/**
 * The short names of the structs that requests and responses contain besides the kinds themselves: the structs of meta/v1, and `Info`, the
 * version of the server.
 */
export type MetaSchemaName = keyof MetaV1 | 'Info';

const info = /* @__PURE__ */ struct('io.k8s.apimachinery.pkg.version.Info', 'The version of the server.', () => ({
  major: required(string()),
  minor: required(string()),
  gitVersion: required(string()),
  gitCommit: required(string()),
  gitTreeState: required(string()),
  buildDate: required(string()),
  goVersion: required(string()),
  compiler: required(string()),
  platform: required(string()),
}));

// Upstream registers these kinds under the same name in every group version.
const IN_ALL_GROUPS: ReadonlySet<string> = new Set<MetaSchemaName>(['DeleteOptions', 'WatchEvent']);
const NO_KINDS: ReadonlySet<string> = new Set<MetaSchemaName>(['Patch', 'Info']);

/** Returns the schema of the struct with the short name `name`. */
export function metaSchema(name: MetaSchemaName): ObjectSchema {
  return structSchema(name === 'Info' ? info : metaV1.struct(name));
}

/** Returns the OpenAPI name of the struct with the short name `name`. */
export function metaDefinition(name: MetaSchemaName): string {
  return metaSchema(name).definition ?? name;
}

/** Returns the {@link OpenApiRoot} that describes a meta struct in an OpenAPI document. @param groupVersions the served group versions */
export function metaRoot(name: MetaSchemaName, groupVersions: readonly Omit<GroupVersionKind, 'kind'>[]): OpenApiRoot {
  const root: OpenApiRoot = { schema: metaSchema(name) };
  if (NO_KINDS.has(name)) return root;
  const all = IN_ALL_GROUPS.has(name) ? groupVersions : [{ group: '', version: 'v1' }];
  return { ...root, groupVersionKinds: all.map(({ group, version }) => ({ group, version, kind: name })) };
}
