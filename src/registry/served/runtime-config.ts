import { type Dialect, groupOf } from '../../meta/dialect.js';
import { formatGroupVersion } from '../../meta/group-version.js';
import type { ResourceDefinition } from '../resource-definition.js';

/** Switches of API versions and resources: `certificates.orch.io/v1alpha1` -> `true`. */
export type RuntimeConfig = Readonly<Record<string, string>>;

const LEVEL_KEYS = { 'api/ga': 'ga', 'api/beta': 'beta', 'api/alpha': 'alpha' } as const;

/** Groups of the API whose switches are taken before their kinds are served here. */
const KNOWN_STEMS = [
  'admissionregistration',
  'apiextensions',
  'authentication',
  'authorization',
  'certificates',
  'rbac.authorization',
];

/**
 * Which definitions are served (spec 18.4): versions beyond stable only when switched on.
 * @throws TypeError for keys that name nothing and values that are not booleans.
 */
export function servedDefinitions(
  definitions: readonly ResourceDefinition[],
  config: RuntimeConfig,
  dialect: Dialect,
): readonly ResourceDefinition[] {
  const names = definitions.map((definition) => {
    const group = definition.group ?? groupOf(dialect, definition.groupStem ?? '');
    const groupVersion = formatGroupVersion({ group, version: definition.version });
    return { group, groupVersion, resource: `${groupVersion}/${definition.plural}` };
  });
  checkKeys(config, names, new Set(KNOWN_STEMS.map((stem) => groupOf(dialect, stem))));
  const all = levelSwitch(config, 'api/all');
  return definitions.filter((definition, i) => {
    const { groupVersion = '', resource = '' } = names[i] ?? {};
    const level = levelOf(definition.version);
    const unasked = level === 'ga' || definition.servedByDefault === true;
    const byLevel = levelSwitch(config, `api/${level}`) ?? all ?? unasked;
    return booleanSwitch(config, resource) ?? booleanSwitch(config, groupVersion) ?? byLevel;
  });
}

function levelOf(version: string): 'ga' | 'beta' | 'alpha' {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga';
}

interface Names {
  readonly group: string;
  readonly groupVersion: string;
  readonly resource: string;
}

function checkKeys(config: RuntimeConfig, names: readonly Names[], known: ReadonlySet<string>): void {
  const unknownGroups: string[] = [];
  for (const key of Object.keys(config)) {
    if (key === 'api/all' || Object.hasOwn(LEVEL_KEYS, key)) continue;
    if (key === 'api/legacy') {
      unknownGroups.push('api');
      continue;
    }
    const parts = key.split('/');
    if (parts.length > 3) throw new TypeError(`runtime-config invalid key ${key}`);
    if (names.some(({ groupVersion, resource }) => key === groupVersion || key === resource)) continue;
    const group = parts.length === 1 ? '' : (parts[0] ?? '');
    if (known.has(group)) continue;
    if (!names.some((name) => name.group === group)) unknownGroups.push(group === '' ? key : group);
    else if (parts.length < 3) throw new TypeError(`group version ${key} that has not been registered`);
    else if (parts[2] !== parts[2]?.toLowerCase())
      throw new TypeError(
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not "${parts[2]}"`,
      );
  }
  if (unknownGroups.length > 0) throw new TypeError(`unknown api groups ${unknownGroups.join(',')}`);
  if (config['api/all'] === 'false' && Object.keys(config).length === 1)
    throw new TypeError('invalid key with only api/all=false');
}

/** @throws TypeError: these four take exactly `true` or `false`. */
function levelSwitch(config: RuntimeConfig, key: string): boolean | undefined {
  const value = config[key];
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw new TypeError(`invalid value ${key}=${value}`);
  return value === 'true';
}

function booleanSwitch(config: RuntimeConfig, key: string): boolean | undefined {
  const value = config[key];
  if (value === undefined) return undefined;
  if (value === '' || /^(?:1|t|T|true|TRUE|True)$/.test(value)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(value)) return false;
  throw new TypeError(`invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing "${value}": invalid syntax`);
}
