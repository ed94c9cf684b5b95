import { describe, expect, it } from 'vitest';
import { k8s } from '../../../src/meta/dialect.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import type { ResourceDefinition } from '../../../src/registry/resource-definition.js';
import { type RuntimeConfig, servedDefinitions } from '../../../src/registry/served/runtime-config.js';
import { builtinResources } from '../../../src/resources/index.js';

const ALPHA = 'certificates.k8s.io/v1alpha1';
const BUNDLES = { ClusterTrustBundle: true };

function served(config: RuntimeConfig, gates: Readonly<Record<string, boolean>> = BUNDLES): readonly string[] {
  const name = ({ groupStem = '', version, plural }: ResourceDefinition) => `${groupStem}/${version}/${plural}`;
  return servedDefinitions(builtinResources, config, k8s, featureGates(gates)).map(name);
}

const bundles = 'certificates/v1alpha1/clustertrustbundles';
const requests = 'certificates/v1/certificatesigningrequests';
const flowSchemas = 'flowcontrol.apiserver/v1beta3/flowschemas';

describe('the runtime configuration', () => {
  it('enables stable versions and disables others, except for those that were always enabled', () => {
    const names = served({});
    expect(names).toContain(requests);
    expect(names).toContain(flowSchemas);
    expect(names).not.toContain(bundles);
  });

  it('uses the most specific key, whatever the order of keys', () => {
    expect(served({ 'api/all': 'true' })).toContain(bundles);
    expect(served({ 'api/alpha': 'false', 'api/all': 'true' })).not.toContain(bundles);
    expect(served({ [ALPHA]: '', 'api/alpha': 'false' })).toContain(bundles);
    expect(served({ [`${ALPHA}/clustertrustbundles`]: 'T', [ALPHA]: 'false' })).toContain(bundles);
    expect(served({ [ALPHA]: 'true', [`${ALPHA}/clustertrustbundles`]: '0' })).not.toContain(bundles);
    expect(served({ 'api/beta': 'false' })).not.toContain(flowSchemas);
    expect(served({ 'api/ga': 'false', 'certificates.k8s.io/v1': 'true' })).toEqual([requests, ...betaOnly]);
    expect(served({ '/v1/pods': 'false' })).not.toContain('/v1/pods');
  });
  const betaOnly = ['flowcontrol.apiserver/v1beta3/prioritylevelconfigurations', flowSchemas];

  it('serves nothing of a feature that is off', () => {
    expect(served({ [ALPHA]: 'true' }, {})).not.toContain(bundles);
    expect(served({ [`${ALPHA}/clustertrustbundles`]: 'true' }, { AllAlpha: true })).toContain(bundles);
  });

  it('accepts versions of the API that the server does not have', () => {
    expect(served({ 'scheduling.k8s.io/v1alpha1': 'true', 'extensions/v1beta1': 'false' })).toEqual(served({}));
  });

  it.each([
    [{ 'api/all': 'false' }, 'invalid key with only api/all=false'],
    [{ 'api/all': '' }, 'invalid value api/all='],
    [{ 'api/beta': 'T' }, 'invalid value api/beta=T'],
    [{ v1: 'true' }, 'runtime-config invalid key v1'],
    [{ 'a/b/c/d': 'true' }, 'runtime-config invalid key a/b/c/d'],
    [{ 'api/legacy': 'true', 'x.io/v1': '', [ALPHA]: '' }, 'unknown api groups api,x.io'],
    [{ 'apps/v7': 'true' }, 'group version apps/v7 that has not been registered'],
    [
      { 'apps/v1/Deployments': '' },
      'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
    ],
    [{ 'apps/v1': 'yes' }, 'invalid value of apps/v1: yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    [{ 'constructor/v1': 'true' }, 'unknown api groups constructor'],
  ])('refuses %j', (config, message) => {
    // switches.test.ts checks the text after upstream's message, which lists the accepted values.
    expect(() => served(config as RuntimeConfig)).toThrow(TypeError);
    expect(() => served(config as RuntimeConfig)).toThrow(message);
  });
});
