import { describe, expect, it } from 'vitest';
import { featureGates, gateWarnings, measureGates } from '../../../src/meta/features/feature-gates.js';
import { noMetrics } from '../../../src/metrics/metrics.js';

describe('feature gates', () => {
  it('have the defaults of their stage: alpha off, beta on, with the exceptions of the release', () => {
    const gates = featureGates();
    expect(gates).toMatchObject({ WatchList: false, APIResponseCompression: true, ServerSideApply: true });
    expect(gates).toMatchObject({ VolumeAttributesClass: false, KMSv1: false, WindowsHostNetwork: true });
    expect(Object.keys(gates).length).toBeGreaterThan(150);
  });

  it('can be set by stage unless they are named themselves', () => {
    expect(featureGates({ AllAlpha: true, ClusterTrustBundle: false })).toMatchObject({
      WatchList: true,
      ClusterTrustBundle: false,
      StrictCostEnforcementForVAP: false,
      KMSv1: false,
    });
    expect(featureGates({ AllBeta: true })).toMatchObject({ StrictCostEnforcementForVAP: true, WatchList: false });
    expect(featureGates({ AllBeta: false, OpenAPIEnums: true })).toMatchObject({
      APIResponseCompression: false,
      OpenAPIEnums: true,
      ServerSideApply: true,
    });
  });

  it.each([
    [{ Nonsense: true }, 'unrecognized feature gate: Nonsense'],
    [{ constructor: true }, 'unrecognized feature gate: constructor'],
    [{ ServerSideApply: false }, 'cannot set feature gate ServerSideApply to false, feature is locked to true'],
    [
      { ServiceAccountTokenNodeBindingValidation: false },
      'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
    ],
    [
      { AuthorizeNodeWithSelectors: true },
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    ],
  ])('refuse %j', (given, message) => {
    expect(() => featureGates(given as Record<string, boolean>)).toThrow(new TypeError(message));
  });

  it('warn of gates that a later release removed', () => {
    expect(gateWarnings({ ServerSideApply: true, KMSv1: false, WatchList: true, AllBeta: true })).toEqual([
      'Setting GA feature gate ServerSideApply=true. It will be removed in a future release.',
      'Setting deprecated feature gate KMSv1=false. It will be removed in a future release.',
    ]);
  });

  it('are exposed as a metric with their stage, which stable gates do not have', () => {
    const series = new Map<string, number>();
    const given = { WatchList: true, AllBeta: true };
    measureGates(
      {
        ...noMetrics,
        collect({ name }, read) {
          for (const [labels, value] of read()) series.set([name, ...labels].join(' '), Number(value));
        },
      },
      featureGates(given),
      given,
    );
    expect(series.get('kubernetes_feature_enabled WatchList ALPHA')).toBe(1);
    expect(series.get('kubernetes_feature_enabled AllAlpha ALPHA')).toBe(0);
    expect(series.get('kubernetes_feature_enabled AllBeta BETA')).toBe(1);
    expect(series.get('kubernetes_feature_enabled KMSv1 DEPRECATED')).toBe(0);
    expect(series.get('kubernetes_feature_enabled ServerSideApply ')).toBe(1);
  });
});
