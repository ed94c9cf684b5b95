import { describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { featureGates } from '../../src/meta/features/feature-gates.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { servedDefinitions } from '../../src/registry/served/runtime-config.js';

/** Returns a kind by its group, version and resource. Versions that are not stable are served if the row says so. */
const kind = (group: string, version: string, plural: string, servedByDefault?: boolean) =>
  ({ group, version, plural, ...(servedByDefault === undefined ? {} : { servedByDefault }) }) as ResourceDefinition;
const ingresses = kind('extensions', 'v1beta1', 'ingresses', true);
const oldDeployments = kind('extensions', 'v1beta1', 'deployments');
const oldSets = kind('extensions', 'v1beta1', 'daemonsets');
const deployments = kind('apps', 'v1', 'deployments');
const others = kind('apps', 'v1', 'others');
const pods = kind('', 'v1', 'pods');
const ALL = { ingresses, oldDeployments, oldSets, deployments, others, pods };

/** Returns the names that are served with some switches. */
function served(config: Readonly<Record<string, string>>): string[] {
  const definitions = servedDefinitions(Object.values(ALL), config, k8s, featureGates());
  return Object.entries(ALL).flatMap(([name, each]) => (definitions.includes(each) ? [name] : []));
}
const STABLE = ['deployments', 'others', 'pods'];
const DEFAULT = ['ingresses', ...STABLE];

describe('switches of API versions and resources', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['none', {}, DEFAULT],
    ['a version on that is', { 'apps/v1': '' }, DEFAULT],
    ['v1 off', { '/v1': 'false' }, ['ingresses', 'deployments', 'others']],
    ['everything on', { 'api/all': 'true' }, Object.keys(ALL)],
    ['only v1', { 'api/all': 'false', '/v1': 'true' }, ['pods']],
    ['one beta resource on', { 'extensions/v1beta1/deployments': 'true' }, ['ingresses', 'oldDeployments', ...STABLE]],
    ['one beta resource off', { 'extensions/v1beta1/ingresses': 'false' }, STABLE],
    ['a beta version off', { 'extensions/v1beta1': 'false' }, STABLE],
    ['a beta version on', { 'extensions/v1beta1': 'true' }, Object.keys(ALL)],
    ['a stable resource off', { 'apps/v1/deployments': 'false' }, ['ingresses', 'others', 'pods']],
    ['beta off', { 'api/beta': 'false' }, STABLE],
    [
      'a resource off, its version on',
      { 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    [
      'a resource on, its version off',
      { 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments', 'pods'],
    ],
    [
      'a resource off, stable on',
      { 'api/ga': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    ['a resource on, stable off', { 'api/ga': 'false', 'apps/v1/deployments': 'true' }, ['ingresses', 'deployments']],
    [
      'a resource off, its version on, stable off',
      { 'api/ga': 'false', 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others'],
    ],
    [
      'a resource on, its version off, stable off',
      { 'api/ga': 'false', 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments'],
    ],
    [
      'a resource off, its version on, stable on',
      { 'api/ga': 'true', 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    [
      'a resource on, its version off, stable on',
      { 'api/ga': 'true', 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments', 'pods'],
    ],
    ['beta on, stable off', { 'api/beta': 'true', 'api/ga': 'false' }, ['ingresses', 'oldDeployments', 'oldSets']],
  ])('%s', (_, config, expected) => {
    expect(served(config)).toEqual(expected);
    // The order of the switches does not matter.
    expect(served(Object.fromEntries(Object.entries(config).reverse()))).toEqual(expected);
  });

  it.each<[Readonly<Record<string, string>>, string]>([
    [
      { 'apps/v1/Deployment': 'false' },
      'invalid key apps/v1/Deployment: group/version/resource and resource is always lowercase plural, not "Deployment"',
    ],
    [{ 'api/all': 'false' }, 'invalid key with only api/all=false'],
    [{ apiall: 'false' }, 'runtime-config invalid key apiall'],
    [{ 'a/b/c/d': 'false' }, 'runtime-config invalid key a/b/c/d'],
    [{ 'api/v1': 'true' }, 'unknown api groups api'],
    [{ 'invalidgroup/version': 'false' }, 'unknown api groups invalidgroup'],
    [{ 'apps/v9': 'true' }, 'group version apps/v9 that has not been registered'],
    [{ 'api/ga': 'yes' }, 'invalid value api/ga=yes'],
  ])('refuse %j', (config, message) => expect(() => served(config)).toThrow(message));
  it.each(['apiregistration.k8s.io/v1beta1', 'apiregistration.k8s.io/v1'])('know %s', (key) => {
    expect(served({ [key]: 'true' })).toEqual(DEFAULT);
  });
});
