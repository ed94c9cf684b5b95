import { gauge } from '../../metrics/families.js';
import type { Metrics } from '../../metrics/metrics.js';
import { readBooleanText } from '../../values/boolean-text.js';
import { didYouMean } from '../../values/did-you-mean.js';
import { type FeatureGate, type FeatureGates, type FeatureStage, GATES } from './gates.js';

/** The switches that set all gates of one stage, except those that are set by name. */
const WHOLE_STAGES = { AllAlpha: 'ALPHA', AllBeta: 'BETA' } as const satisfies Record<string, FeatureStage>;
const isWholeStage = (name: string): name is keyof typeof WHOLE_STAGES => Object.hasOwn(WHOLE_STAGES, name);

/** Gates that need another gate, each with the error message for the case that the needed gate is off. */
const NEEDS = [
  [
    'ServiceAccountTokenNodeBinding',
    'ServiceAccountTokenNodeBindingValidation',
    'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled',
  ],
  [
    'AuthorizeNodeWithSelectors',
    'AuthorizeWithSelectors',
    'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
  ],
  [
    'UnknownVersionInteroperabilityProxy',
    'StorageVersionAPI',
    'UnknownVersionInteroperabilityProxy feature requires StorageVersionAPI feature flag to be enabled',
  ],
] as const satisfies readonly (readonly [FeatureGate, FeatureGate, string])[];

/** Reads switches as booleans. A string that is not a boolean was refused when the options were checked; here it counts as false. */
export function readSwitches(switches: Readonly<Record<string, boolean | string>> = {}): Record<string, boolean> {
  return Object.fromEntries(Object.entries(switches).map(([name, on]) => [name, readBooleanText(String(on)) ?? false]));
}

/**
 * Applies switches to the defaults. `AllAlpha` and `AllBeta` set the gates of their stage that are not named.
 * @throws TypeError for an unknown gate, for a gate that is locked to its default, and for a gate whose required gate is off.
 */
export function featureGates(switches: Readonly<Record<string, boolean>> = {}): FeatureGates {
  return Object.keys(switches).length === 0 ? (unswitched ??= switchGates({})) : switchGates(switches);
}

/** The gates of every server that sets no switch. Such servers share one object. */
let unswitched: FeatureGates | undefined;

function switchGates(switches: Readonly<Record<string, boolean>>): FeatureGates {
  const named = Object.entries(switches);
  for (const [name, value] of named) {
    const gate = GATES.get(name);
    if (!gate && !isWholeStage(name))
      throw new TypeError(`unrecognized feature gate: ${name}${didYouMean(name, GATES.keys())}`);
    if (gate?.locked && gate.on !== value)
      throw new TypeError(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.on}`);
  }
  const gates: Record<string, boolean> = {};
  for (const [name, { stage, on }] of GATES) {
    const all = stage === 'ALPHA' ? switches['AllAlpha'] : stage === 'BETA' ? switches['AllBeta'] : undefined;
    gates[name] = switches[name] ?? all ?? on;
  }
  for (const [gate, needed, problem] of NEEDS) if (gates[gate] && !gates[needed]) throw new TypeError(problem);
  return Object.freeze(gates) as FeatureGates; // The object has a member for each name in GATES, so the cast is safe.
}

/** Returns the warnings for the operator about switches that a later release will remove. */
export function gateWarnings(switches: Readonly<Record<string, boolean>> = {}): string[] {
  const stageWords: Partial<Record<FeatureStage, string>> = { GA: 'GA', DEPRECATED: 'deprecated' };
  return Object.entries(switches).flatMap(([name, value]) => {
    const word = stageWords[GATES.get(name)?.stage ?? 'BETA'];
    return word ? [`Setting ${word} feature gate ${name}=${value}. It will be removed in a future release.`] : [];
  });
}

const FEATURE_ENABLED = gauge(
  'kubernetes_feature_enabled',
  'This metric records the data about the stage and enablement of a k8s feature.',
  ['name', 'stage'],
  { stability: 'BETA' },
);

/** Adds the metric that reports which feature gates are on. */
export function measureGates(
  metrics: Metrics,
  gates: FeatureGates,
  switches: Readonly<Record<string, boolean>> = {},
): void {
  metrics.collect(FEATURE_ENABLED, function* () {
    for (const [name, stage] of Object.entries(WHOLE_STAGES)) yield [[name, stage], switches[name] ? 1 : 0];
    for (const [name, { stage }] of GATES)
      yield [[name, stage === 'GA' ? '' : stage], gates[name as FeatureGate] ? 1 : 0]; // `gates` has a member for each name in GATES.
  });
}
