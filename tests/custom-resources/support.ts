import type { AuthenticatorFactory } from '../../src/authentication/authenticator.js';
import type { ApiServer, ResourceDefinition } from '../../src/index.js';

/** Every caller is an administrator. */
export const everybody: AuthenticatorFactory = () => ({
  name: 'everybody',
  authenticate: () => ({
    outcome: 'authenticated',
    user: { username: 'root', groups: ['system:masters', 'system:authenticated'] },
    authenticator: 'everybody',
  }),
});

/** A definition of things.example.com with one version, whose `spec` has these properties. */
export function manifest({
  names = {},
  spec = { size: { type: 'integer' } },
  version = {},
  versions,
  root = {},
}: {
  readonly names?: object;
  readonly spec?: object;
  readonly version?: object;
  readonly versions?: readonly object[];
  readonly root?: object;
} = {}) {
  const { plural, ...others } = { plural: 'things', kind: 'Thing', ...names };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: spec } }, ...root };
  const one = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural, ...others }, versions: versions ?? [one] },
  };
}

/** The definition by which a server serves things. */
export const thingsOf = (server: ApiServer, version = 'v1'): ResourceDefinition =>
  server.kind(`example.com/${version}`, 'Thing');
