import { apiError } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Pod } from '../core/core-v1.types.js';
import type { BoundObjectReference } from './authentication-v1.types.js';

/** An object that a token refers to. A node that does not exist has no uid. */
export interface NamedObject {
  readonly name: string;
  readonly uid?: string;
}

/** The claims that bind a token, by kind (spec 14.6). */
export interface Binding {
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  readonly node?: NamedObject;
}

const KINDS = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' } as const;
type BindingKind = keyof typeof KINDS;

/**
 * Finds the object that a token is to be bound to (spec 14.4).
 * @throws ApiError 400 for an object that tokens cannot be bound to, 404 for one that does not exist, 409 for another uid.
 */
export function findBoundObject(
  host: Host,
  namespace: string,
  account: string,
  reference: BoundObjectReference,
): Binding {
  const kind = bindingKind(host, reference);
  const { name = '', uid = '' } = reference;
  if (name === '') throw apiError.badRequest('Name parameter required.');
  const found = host
    .lister<ApiObject & Partial<Pick<Pod, 'spec'>>>('', KINDS[kind])
    .get(kind === 'Node' ? '' : namespace, name);
  if (!found) throw apiError.notFound({ group: '', resource: KINDS[kind] }, name);
  if (kind === 'Pod' && found.spec?.serviceAccountName !== account)
    throw apiError.badRequest(
      `cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`,
    );
  if (uid !== '' && uid !== found.metadata.uid)
    throw apiError.conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (kind === 'Secret') return { secret: named(found) };
  if (kind === 'Node') return { node: named(found) };
  const nodeName = found.spec?.nodeName ?? '';
  if (nodeName === '' || !host.gates.ServiceAccountTokenPodNodeInfo) return { pod: named(found) };
  const node = host.lister('', KINDS.Node).get('', nodeName);
  return { pod: named(found), node: node ? named(node) : { name: nodeName } };
}

function named({ metadata: { name = '', uid = '' } }: ApiObject): NamedObject {
  return { name, uid };
}

/** Returns the kind of the reference. The version does not matter, and a malformed apiVersion counts as absent. @throws ApiError 400 */
function bindingKind({ dialect, gates }: Host, { apiVersion = '', kind = '' }: BoundObjectReference): BindingKind {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/', 3);
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', parts.length === 1 ? parts[0] : ''];
  if (group === '' && isBindingKind(kind) && dialect.rulings.tokenBindingKinds.includes(kind)) {
    if (kind === 'Node' && !gates.ServiceAccountTokenNodeBinding)
      throw apiError.badRequest(
        'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
      );
    return kind;
  }
  throw apiError.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

const isBindingKind = (kind: string): kind is BindingKind => Object.hasOwn(KINDS, kind);
