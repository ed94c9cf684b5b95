/** Switches that this server knows, with their defaults (spec 18.5). */
const GATES = {
  WatchList: { default: false, locked: false },
  ClusterTrustBundle: { default: false, locked: false },
  APIResponseCompression: { default: true, locked: false },
  AnonymousAuthConfigurableEndpoints: { default: false, locked: false },
  AuthorizeWithSelectors: { default: false, locked: false },
  StructuredAuthenticationConfiguration: { default: true, locked: false },
  StructuredAuthorizationConfiguration: { default: true, locked: false },
  ServerSideApply: { default: true, locked: true },
  ServerSideFieldValidation: { default: true, locked: true },
  WatchBookmark: { default: true, locked: true },
  APIListChunking: { default: true, locked: true },
  OpenAPIV3: { default: true, locked: true },
} as const;

export type FeatureGate = keyof typeof GATES;

const ALPHA: readonly FeatureGate[] = [
  'WatchList',
  'ClusterTrustBundle',
  'AnonymousAuthConfigurableEndpoints',
  'AuthorizeWithSelectors',
];
const BETA: readonly FeatureGate[] = [
  'APIResponseCompression',
  'StructuredAuthenticationConfiguration',
  'StructuredAuthorizationConfiguration',
];

/** Which features are on. */
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

/**
 * Applies switches to the defaults; `AllAlpha` and `AllBeta` set those not named.
 * @throws TypeError for an unknown switch, or one that can no longer be switched off.
 */
export function featureGates(given: Readonly<Record<string, boolean>> = {}): FeatureGates {
  const gates = Object.fromEntries(Object.entries(GATES).map(([name, gate]) => [name, gate.default])) as Record<
    FeatureGate,
    boolean
  >; // same keys
  if (given['AllAlpha'] !== undefined) for (const name of ALPHA) gates[name] = given['AllAlpha'];
  if (given['AllBeta'] !== undefined) for (const name of BETA) gates[name] = given['AllBeta'];
  for (const [name, value] of Object.entries(given)) {
    if (name === 'AllAlpha' || name === 'AllBeta') continue;
    if (!Object.hasOwn(GATES, name)) throw new TypeError(`unrecognized feature gate: ${name}`);
    const gate = name as FeatureGate; // has it, as own
    if (GATES[gate].locked && !value)
      throw new TypeError(`cannot set feature gate ${name} to ${value}, feature is locked to true`);
    gates[gate] = value;
  }
  return gates;
}
