import type { Dialect } from '../../meta/dialect.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';

/** One line of a policy file: what a user or group may do. '' matches nothing, and `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const AUTHENTICATED = 'system:authenticated';
const LINE_LIMIT = 64 * 1024;

/**
 * Reads a policy file: one JSON object a line, of `abac.authorization…/v1beta1` or of the older form without a version; empty
 * lines and lines that begin with `#` are skipped (spec 12.11).
 * @param path names the file in messages.
 * @param warn called once when there are lines without a version.
 * @throws Error `error reading policy file PATH, line N: …`. An unknown version is an error, too.
 */
export function parseAbacPolicies(
  text: string,
  path: string,
  dialect: Dialect,
  warn: (message: string) => void,
): AbacPolicy[] {
  const policies: AbacPolicy[] = [];
  let unversioned = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length >= LINE_LIMIT) throw new Error(`error reading policy file ${path}: line ${index + 1} is too long`);
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      const object = parseObject(trimmed);
      const versioned = object.get('apiVersion') !== undefined || object.get('kind') !== undefined;
      policies.push(versioned ? readVersioned(object, dialect) : readUnversioned(object));
      unversioned ||= !versioned;
    } catch (error) {
      const why = messageOf(error);
      throw new Error(`error reading policy file ${path}, line ${index + 1}: ${trimmed}: ${why}`, { cause: error });
    }
  }
  if (unversioned)
    warn(
      `Policy file ${path} contained unversioned rules. See docs/admin/authorization.md#abac-mode for ABAC file format details.`,
    );
  return policies;
}

type Members = ReadonlyMap<string, unknown>;

function parseObject(text: string): Members {
  const value: unknown = JSON.parse(text);
  return membersOf(value, 'a policy');
}

function membersOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return new Map(Object.entries(value));
}

function textOf(members: Members, name: string): string {
  const value = members.get(name) ?? '';
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}

function readonlyOf(members: Members): boolean {
  const value = members.get('readonly') ?? false;
  if (typeof value !== 'boolean') throw new Error('readonly must be true or false');
  return value;
}

function readVersioned(object: Members, { labelDomain }: Dialect): AbacPolicy {
  const apiVersion = textOf(object, 'apiVersion');
  const kind = textOf(object, 'kind');
  if (kind !== 'Policy' || apiVersion !== `abac.authorization.${labelDomain}/v1beta1`)
    throw new Error(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
  const spec = membersOf(object.get('spec') ?? {}, 'spec');
  return {
    ...subjectOf(spec),
    readonly: readonlyOf(spec),
    apiGroup: textOf(spec, 'apiGroup'),
    resource: textOf(spec, 'resource'),
    namespace: textOf(spec, 'namespace'),
    nonResourcePath: textOf(spec, 'nonResourcePath'),
  };
}

/** Reads a policy of the form without a version, in which an absent field matches everything. */
function readUnversioned(object: Members): AbacPolicy {
  const { user, group } = subjectOf(object);
  const namespace = textOf(object, 'namespace');
  const resource = textOf(object, 'resource');
  return {
    user,
    group: user === '' && group === '' ? AUTHENTICATED : group,
    readonly: readonlyOf(object),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  };
}

/** Returns the user and group of a policy. A `*` matches every authenticated caller and never anonymous ones. */
function subjectOf(members: Members): Pick<AbacPolicy, 'user' | 'group'> {
  const user = textOf(members, 'user');
  const group = textOf(members, 'group');
  return user === '*' || group === '*' ? { user: '', group: AUTHENTICATED } : { user, group };
}
