import { describe, expect, it } from 'vitest';
import { ApiServer } from '../../../src/index.js';
import { fetchFrom } from '../../support/ask.js';
import { startServer } from '../../support/servers.js';

type Options = NonNullable<ConstructorParameters<typeof ApiServer>[0]>;
const PRIORITY = 'scheduling.k8s.io/v1/priorityclasses';
const BUNDLES = 'certificates.k8s.io/v1alpha1';

describe('switches of a server', () => {
  it.each<[NonNullable<Options['runtimeConfig']>, boolean]>([
    [{ [PRIORITY]: true }, true],
    [{ [PRIORITY]: 'true' }, true],
    [{ [PRIORITY]: false }, false],
    [{ [PRIORITY]: 'F' }, false],
    [{ 'api/ga': true }, true],
    [{ 'api/all': false, [PRIORITY]: true }, true],
  ])('are booleans or strings: %j', async (runtimeConfig, isServed) => {
    await using server = await startServer({ dialect: 'k8s', runtimeConfig });
    const { status } = await fetchFrom(server, '/apis/scheduling.k8s.io/v1/priorityclasses', {
      user: { username: 'a', groups: ['system:masters'] },
    });
    expect(status).toBe(isServed ? 200 : 404);
  });

  it.each([true, 'true', 'T'])('of features are booleans or strings: %j', async (on) => {
    const heard: string[] = [];
    const options = {
      dialect: 'k8s',
      runtimeConfig: { [BUNDLES]: true },
      log: (text: string) => heard.push(text),
    } as const;
    await using server = await startServer({ ...options, featureGates: { ClusterTrustBundle: on } });
    expect(
      server
        .client()
        .resources()
        .some(({ gvr }) => gvr.resource === 'clustertrustbundles'),
    ).toBe(true);
    expect(heard.filter((text) => text.startsWith('runtime-config'))).toEqual([]);
  });

  it.each([BUNDLES, `${BUNDLES}/clustertrustbundles`])('report that a feature gate is required: %s', (key) => {
    const heard: string[] = [];
    new ApiServer({ dialect: 'k8s', runtimeConfig: { [key]: true }, log: (text) => heard.push(text) });
    expect(heard).toEqual([
      `runtime-config ${key}=true: clustertrustbundles are not served while the feature gate ClusterTrustBundle is off: set ClusterTrustBundle=true as well`,
    ]);
  });

  it.each<[object, string]>([
    [{ runtimeConfig: { 'api/all': 'perhaps' } }, 'invalid value api/all=perhaps: must be true or false'],
    [{ runtimeConfig: { [PRIORITY]: 'perhaps' } }, 'invalid syntax: must be true or false'],
    [{ runtimeConfig: { [PRIORITY]: 1 } }, "runtimeConfig: must be an object of switches, such as { 'api/all': true }"],
    [{ runtimeConfig: true }, "runtimeConfig: must be an object of switches, such as { 'api/all': true }"],
    [
      { runtimeConfig: { priorityclasses: true } },
      'must be api/all, api/ga, api/beta, api/alpha, GROUP/VERSION or GROUP/VERSION/RESOURCE',
    ],
    [
      { runtimeConfig: { 'scheduling.k8s.i/v1': true } },
      'unknown api groups scheduling.k8s.i; did you mean "scheduling.k8s.io"?',
    ],
    [{ runtimeConfig: { 'apps/v9': true } }, 'versions of apps are v1, v1beta2, v1beta1'],
    [
      { runtimeConfig: { 'scheduling.k8s.io/v1/priorityclass': true } },
      'invalid key scheduling.k8s.io/v1/priorityclass: scheduling.k8s.io/v1 has no resource priorityclass; did you mean "priorityclasses"?',
    ],
    [{ featureGates: { WatchList: 'perhaps' } }, 'featureGates: WatchList must be true or false'],
    [{ featureGates: { WatchLists: true } }, 'unrecognized feature gate: WatchLists; did you mean "WatchList"?'],
    [{ featureGates: true }, 'featureGates: must be an object of switches, such as { WatchList: true }'],
  ])('report the accepted values: %j', (options, problem) => {
    expect(() => new ApiServer({ dialect: 'k8s', ...options } as Options)).toThrow(problem);
  });
});
