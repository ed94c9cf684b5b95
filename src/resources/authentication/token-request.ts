import { serviceAccountUsername } from '../../authentication/service-account-user.js';
import { apiError } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import { domainName, groupOf } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import { withMetadata } from '../../registry/edit.js';
import type { RequestContext } from '../../registry/request-context.js';
import type { CreateSubresource, CreateSubresourceCall } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { structSchema } from '../../schema/authoring.js';
import type { AccountTokens } from '../../tokens/account-tokens.js';
import type { Pod } from '../core/core-v1.types.js';
import { authenticationV1 } from './authentication-v1.js';
import type { BoundObjectReference, TokenRequest } from './authentication-v1.types.js';

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/**
 * The lifetime that pods request for the tokens they mount. With the option `extendExpiration`, a pod's token for which exactly this
 * lifetime was requested is valid for a year. Audit events note its use after the requested lifetime.
 */
const MOUNTED_SECONDS = 3607;
const EXTENDED_SECONDS = 31_536_000;

/** `serviceaccounts/{name}/token`: creates a token of the account (spec 14.2). */
export const tokenRequest: CreateSubresource<ApiObject> = {
  create: {
    kind: 'TokenRequest',
    groupStem: 'authentication',
    version: 'v1',
    schema: structSchema(authenticationV1.struct('TokenRequest')),
    setDefaults(draft) {
      // The body was decoded with the schema of TokenRequest, so the cast is safe.
      const { spec } = draft as Draft<TokenRequest>;
      spec.expirationSeconds ??= DEFAULT_SECONDS;
    },
    // The body was decoded with the schema of TokenRequest, so the cast is safe.
    create: (body, call, context) => createToken(body as TokenRequest, call, context),
  },
};

async function createToken(
  body: TokenRequest,
  call: CreateSubresourceCall<ApiObject>,
  context: RequestContext,
): Promise<ApiObject> {
  const { accountTokens, host } = context;
  if (!accountTokens) throw apiError.noSuchResource();
  const { namespace, name } = call;
  const kind = { group: groupOf(host.dialect, 'authentication'), kind: 'TokenRequest' };
  const bodyName = body.metadata.name ?? '';
  if (bodyName !== '' && bodyName !== name)
    throw apiError.invalid(kind, name, [
      fieldError.invalid('metadata.name', bodyName, 'must match the service account name if specified'),
    ]);
  const account = await call.parent();
  const now = host.clock.now();
  const request = {
    ...withMetadata(body, { name, namespace, creationTimestamp: formatTime(now) }),
    spec: filledSpec(body, context, accountTokens),
  };
  const errors = validate(request.spec);
  if (errors.length > 0) throw apiError.invalid(kind, '', errors);
  await call.validate(request);

  const { boundObjectRef } = request.spec;
  const binding = boundObjectRef ? findBoundObject(host, namespace, name, boundObjectRef) : {};
  const spec = {
    ...request.spec,
    expirationSeconds: capExpiration(request.spec.expirationSeconds, context, accountTokens),
  };
  const tokenClaims = claims(account, spec, binding, now, context, accountTokens);
  const token = await accountTokens.issuer.sign(tokenClaims);
  const issued = `authentication.${domainName(host.dialect, 'issued-credential-id')}`;
  if (tokenClaims.jti !== undefined) context.annotate(issued, `JTI=${tokenClaims.jti}`);
  const status = { token, expirationTimestamp: formatTime(now + spec.expirationSeconds * 1000) };
  // `ApiObject` declares neither spec nor status, so a cast is needed.
  return { ...request, spec, status } as ApiObject;
}

interface FilledSpec {
  readonly audiences: readonly string[];
  /** Requested lifetime in seconds. */
  readonly expirationSeconds: number;
  readonly boundObjectRef: NonNullable<TokenRequest['spec']['boundObjectRef']> | null;
}

function filledSpec({ spec }: TokenRequest, { host }: RequestContext, { apiAudiences }: AccountTokens): FilledSpec {
  const { expirationSeconds = DEFAULT_SECONDS, boundObjectRef } = spec;
  // Before validation, `audiences` can be null, although its type excludes this.
  const requestedAudiences = (spec.audiences as readonly string[] | null) ?? [];
  const defaulted =
    requestedAudiences.length === 0 && host.dialect.rulings.tokenRequestWithoutAudiences === 'server-audiences';
  return {
    audiences: defaulted ? apiAudiences : requestedAudiences,
    expirationSeconds,
    boundObjectRef: boundObjectRef ?? null,
  };
}

function validate({ audiences, expirationSeconds }: FilledSpec): FieldError[] {
  const path = 'spec.expirationSeconds';
  return [
    ...(audiences.length === 0 ? [fieldError.required('spec.audiences')] : []),
    ...(expirationSeconds < MIN_SECONDS
      ? [fieldError.invalid(path, expirationSeconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...(expirationSeconds > MAX_SECONDS
      ? [fieldError.invalid(path, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
  ];
}

/** Reduces a lifetime in seconds to the server's maximum. If the lifetime is reduced, a warning is added. */
function capExpiration(seconds: number, context: RequestContext, { maxExpirationSeconds: max }: AccountTokens): number {
  if (max === 0 || seconds <= max) return seconds;
  context.warn(`requested expiration of ${seconds} seconds shortened to ${max} seconds`);
  return max;
}

/** Returns the claims of the token (spec 14.5, 14.6). */
function claims(
  { metadata }: ApiObject,
  { audiences, expirationSeconds }: FilledSpec,
  binding: Binding,
  now: number,
  { host }: RequestContext,
  { extendExpiration, apiAudiences }: AccountTokens,
): Record<string, unknown> & { readonly jti?: string } {
  const { name = '', namespace = '', uid = '' } = metadata;
  const issued = Math.floor(now / 1000);
  const extended =
    extendExpiration &&
    binding.pod !== undefined &&
    expirationSeconds === MOUNTED_SECONDS &&
    audiences.every((audience) => apiAudiences.includes(audience));
  const { node, pod, secret } = binding;
  return {
    aud: audiences,
    exp: issued + (extended ? EXTENDED_SECONDS : expirationSeconds),
    iat: issued,
    ...(host.gates.ServiceAccountTokenJTI ? { jti: randomUuid(host.random) } : {}),
    nbf: issued,
    sub: serviceAccountUsername(namespace, name),
    [host.dialect.tokenPrivateClaim]: {
      namespace,
      ...(node ? { node } : {}),
      ...(pod ? { pod } : {}),
      ...(secret ? { secret } : {}),
      serviceaccount: { name, uid },
      ...(extended ? { warnafter: issued + expirationSeconds } : {}),
    },
  };
}

/** An object that the claims of a token name. A node that does not exist has no uid. */
interface NamedObject {
  readonly name: string;
  readonly uid?: string;
}

/** The claims that bind a token to an object, by the kind of the object (spec 14.6). */
interface Binding {
  readonly pod?: NamedObject;
  readonly secret?: NamedObject;
  readonly node?: NamedObject;
}

const KINDS = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' } as const;
type BindingKind = keyof typeof KINDS;

/**
 * Finds the object to which a token is to be bound (spec 14.4).
 * @throws ApiError 400 for an object to which tokens cannot be bound, 404 for one that does not exist, 409 for one whose uid differs.
 */
function findBoundObject(host: Host, namespace: string, account: string, reference: BoundObjectReference): Binding {
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
  if (kind === 'Secret') return { secret: nameAndUid(found) };
  if (kind === 'Node') return { node: nameAndUid(found) };
  const nodeName = found.spec?.nodeName ?? '';
  if (nodeName === '' || !host.gates.ServiceAccountTokenPodNodeInfo) return { pod: nameAndUid(found) };
  const node = host.lister('', KINDS.Node).get('', nodeName);
  return { pod: nameAndUid(found), node: node ? nameAndUid(node) : { name: nodeName } };
}

function nameAndUid({ metadata: { name = '', uid = '' } }: ApiObject): NamedObject {
  return { name, uid };
}

/**
 * Returns the kind in a bound object reference. Tokens can be bound only to kinds of the core group. The version is ignored, and an
 * apiVersion with more than one slash counts as absent.
 * @throws ApiError 400 for a kind to which tokens cannot be bound
 */
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
