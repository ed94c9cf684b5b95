import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { FeatureGates } from '../../meta/features/gates.js';
import { noBooleanText, readBooleanText } from '../../values/boolean-text.js';
import { didYouMean } from '../../values/did-you-mean.js';
import type { ResourceDefinition } from '../resource-definition.js';

/**
 * Switches of API versions and resources, as in `--runtime-config`. A value is a boolean or its string: `batch/v1beta1` -> true or 'true'.
 */
export type RuntimeConfig = Readonly<Record<string, string | boolean>>;

/** The keys that switch all versions of a stability level, in the order they are applied. */
const LEVELS: readonly (readonly [string, RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/** The group versions that keys may name, whether served or not, by the group without the suffix that the API dialect appends. */
const KNOWN: Readonly<Record<string, string>> = {
  '': 'v1',
  admission: 'v1 v1beta1',
  admissionregistration: 'v1 v1beta1 v1alpha1',
  apiextensions: 'v1 v1beta1',
  apiregistration: 'v1 v1beta1',
  apps: 'v1 v1beta2 v1beta1',
  authentication: 'v1 v1beta1 v1alpha1',
  authorization: 'v1 v1beta1',
  autoscaling: 'v2 v1 v2beta1 v2beta2',
  batch: 'v1 v1beta1',
  certificates: 'v1 v1beta1 v1alpha1',
  coordination: 'v1 v1beta1 v1alpha1',
  discovery: 'v1 v1beta1',
  events: 'v1 v1beta1',
  extensions: 'v1beta1',
  'flowcontrol.apiserver': 'v1 v1beta3 v1beta2 v1beta1',
  imagepolicy: 'v1alpha1',
  'internal.apiserver': 'v1alpha1',
  networking: 'v1 v1beta1 v1alpha1',
  node: 'v1 v1beta1 v1alpha1',
  policy: 'v1 v1beta1',
  'rbac.authorization': 'v1 v1beta1 v1alpha1',
  resource: 'v1alpha3',
  scheduling: 'v1 v1beta1 v1alpha1',
  storage: 'v1 v1beta1 v1alpha1',
  storagemigration: 'v1alpha1',
};

/**
 * Returns the definitions that are served (spec 18.4): alpha and beta versions only when switched on, and kinds with a feature gate only
 * while the gate is on.
 * @param warn called for each kind that is switched on by name while its feature gate is off
 * @throws TypeError for unknown keys and values that are not booleans.
 */
export function servedDefinitions(
  definitions: readonly ResourceDefinition[],
  config: RuntimeConfig,
  dialect: Dialect,
  gates: FeatureGates,
  warn: (message: string) => void = () => {},
): readonly ResourceDefinition[] {
  const groupOfDefinition = ({ group, groupStem = '' }: ResourceDefinition) => group ?? groupOf(dialect, groupStem);
  const known = new Map(
    Object.entries(KNOWN).map(([stem, versions]) => [groupOf(dialect, stem), new Set(versions.split(' '))] as const),
  );
  for (const definition of definitions) {
    const group = groupOfDefinition(definition);
    const versions = known.get(group);
    if (versions) versions.add(definition.version);
    else known.set(group, new Set([definition.version]));
  }
  const resources = new Map<string, Set<string>>();
  for (const definition of definitions) {
    const groupVersion = `${groupOfDefinition(definition)}/${definition.version}`;
    resources.set(groupVersion, (resources.get(groupVersion) ?? new Set()).add(definition.plural));
  }
  const texts = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)]));
  const switches = readSwitches(texts, known, resources);
  return definitions.filter((definition) => {
    const { version, plural, servedByDefault = false, featureGate } = definition;
    const groupVersion = `${groupOfDefinition(definition)}/${version}`;
    if (featureGate !== undefined && !gates[featureGate]) {
      const key = [`${groupVersion}/${plural}`, groupVersion].find((each) => switches.has(each)) ?? '';
      if (switches.get(key))
        warn(
          `runtime-config ${key}=true: ${plural} are not served while the feature gate ${featureGate} is off: set ${featureGate}=true as well`,
        );
      return false;
    }
    let on = !/alpha|beta/.test(version) || servedByDefault;
    for (const [level, pattern] of LEVELS) if (pattern.test(version)) on = switches.get(level) ?? on;
    return switches.get(`${groupVersion}/${plural}`) ?? switches.get(groupVersion) ?? on;
  });
}

interface DefaultServed {
  readonly definitions: readonly ResourceDefinition[];
  readonly gates: FeatureGates;
  readonly served: readonly ResourceDefinition[];
}
/**
 * The served definitions of the last server that started without a runtime config, by API dialect. The next server with the same
 * definitions and gates reuses them.
 */
const lastServed = new WeakMap<Dialect, DefaultServed>();

/**
 * Returns the definitions that are served without a runtime config. Servers with the same definitions and gates get the same frozen list,
 * so that they share the data that is cached for it.
 */
export function servedByDefault(
  definitions: readonly ResourceDefinition[],
  dialect: Dialect,
  gates: FeatureGates,
): readonly ResourceDefinition[] {
  const last = lastServed.get(dialect);
  const isSame =
    last?.gates === gates &&
    last.definitions.length === definitions.length &&
    last.definitions.every((definition, i) => definition === definitions[i]);
  if (isSame) return last.served;
  const served = Object.freeze(servedDefinitions(definitions, {}, dialect, gates));
  lastServed.set(dialect, { definitions: [...definitions], gates, served });
  return served;
}

const KEYS = `${LEVELS.map(([level]) => level).join(', ')}, GROUP/VERSION or GROUP/VERSION/RESOURCE`;
const isLevel = (key: string): boolean => LEVELS.some(([level]) => level === key);

/** Returns the parsed switches by key. Errors are found in the same order as upstream. */
function readSwitches(
  config: Readonly<Record<string, string>>,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  resources: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, boolean> {
  const all = Object.entries(config);
  if (config['api/all'] === 'false' && all.length === 1) throw new TypeError('invalid key with only api/all=false');
  const named = all.filter(([key]) => !isLevel(key)).map(([key, value]) => ({ key, value, parts: key.split('/') }));
  const malformed = named.find(({ parts }) => parts.length !== 2 && parts.length !== 3);
  if (malformed) throw new TypeError(`runtime-config invalid key ${malformed.key}: must be ${KEYS}`);
  const unknown = named.flatMap(({ parts: [group = ''] }) => (known.has(group) ? [] : [group]));
  if (unknown.length > 0)
    throw new TypeError(`unknown api groups ${unknown.join(',')}${didYouMean(unknown[0] ?? '', known.keys())}`);
  const switches = new Map<string, boolean>();
  for (const [key, value] of all) {
    if (!isLevel(key)) continue;
    if (value !== 'true' && value !== 'false')
      throw new TypeError(`invalid value ${key}=${value}: must be true or false`);
    switches.set(key, value === 'true');
  }
  for (const { key, value, parts } of named) {
    const [group = '', version = '', resource] = parts;
    if (!known.get(group)?.has(version))
      throw new TypeError(
        `group version ${group}/${version} that has not been registered: versions of ${group} are ${[...(known.get(group) ?? [])].join(', ')}`,
      );
    const on = value === '' || readBooleanText(value);
    if (on === undefined)
      throw new TypeError(`invalid value of ${key}: ${value}, err: ${noBooleanText(value)}: must be true or false`);
    if (resource !== undefined && resource !== resource.toLowerCase())
      throw new TypeError(
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${resource}"`,
      );
    // The names of resources cannot be checked if this server has no kinds of the version.
    const plurals = resources.get(`${group}/${version}`);
    if (resource !== undefined && plurals && !plurals.has(resource))
      throw new TypeError(
        `invalid key ${key}: ${group}/${version} has no resource ${resource}${didYouMean(resource, plurals)}`,
      );
    switches.set(key, on);
  }
  return switches;
}
