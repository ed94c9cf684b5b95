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
    ['serve the default without a configuration', {}, DEFAULT],
    ['serve the default if a default version is on', { 'apps/v1': '' }, DEFAULT],
    ['serve no core kinds with v1 off', { '/v1': 'false' }, ['ingresses', 'deployments', 'others']],
    ['serve everything with api/all on', { 'api/all': 'true' }, Object.keys(ALL)],
    ['serve only v1 with everything else off', { 'api/all': 'false', '/v1': 'true' }, ['pods']],
    [
      'serve one more beta resource that is on',
      { 'extensions/v1beta1/deployments': 'true' },
      ['ingresses', 'oldDeployments', ...STABLE],
    ],
    ['serve no beta resource that is off', { 'extensions/v1beta1/ingresses': 'false' }, STABLE],
    ['serve no resources of a beta version that is off', { 'extensions/v1beta1': 'false' }, STABLE],
    ['serve all resources of a beta version that is on', { 'extensions/v1beta1': 'true' }, Object.keys(ALL)],
    ['serve no stable resource that is off', { 'apps/v1/deployments': 'false' }, ['ingresses', 'others', 'pods']],
    ['serve no beta with api/beta off', { 'api/beta': 'false' }, STABLE],
    [
      'give a resource that is off precedence over its version',
      { 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    [
      'give a resource that is on precedence over its version',
      { 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments', 'pods'],
    ],
    [
      'give a resource that is off precedence over api/ga',
      { 'api/ga': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    [
      'give a resource that is on precedence over api/ga',
      { 'api/ga': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments'],
    ],
    [
      'give a resource that is off precedence over its version, and that over api/ga',
      { 'api/ga': 'false', 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others'],
    ],
    [
      'give a resource that is on precedence over its version and api/ga',
      { 'api/ga': 'false', 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments'],
    ],
    [
      'give a resource that is off precedence over its version and api/ga',
      { 'api/ga': 'true', 'apps/v1': 'true', 'apps/v1/deployments': 'false' },
      ['ingresses', 'others', 'pods'],
    ],
    [
      'give a resource that is on precedence over its version, and that over api/ga',
      { 'api/ga': 'true', 'apps/v1': 'false', 'apps/v1/deployments': 'true' },
      ['ingresses', 'deployments', 'pods'],
    ],
    [
      'serve only beta with api/beta on and api/ga off',
      { 'api/beta': 'true', 'api/ga': 'false' },
      ['ingresses', 'oldDeployments', 'oldSets'],
    ],
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
