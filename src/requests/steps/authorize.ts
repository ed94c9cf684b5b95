import type { AuthorizationAttributes } from '../../authorization/authorizer.js';
import { forbiddenMessage } from '../../authorization/forbidden-message.js';
import { selectorRequirements } from '../../authorization/selector-attributes.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { type Flow, run, settled } from '../../meta/flow.js';
import type { UserInfo } from '../../meta/user-info.js';
import { internalErrorResult } from '../answers/internal-error.js';
import type { RequestEnvironment } from '../environment.js';
import type { Exchange } from '../exchange.js';
import type { RequestInfo } from '../request-info.js';
import type { RequestObserver } from '../request-observer.js';
import type { Result } from '../result.js';

/** Authorizes the request (spec 12.2). @throws ApiError 403. */
export function authorize(exchange: Exchange): Result | undefined | Promise<Result | undefined> {
  return run(authorizeRequest(exchange));
}

function* authorizeRequest(exchange: Exchange): Flow<Result | undefined> {
  const { environment, user, info } = exchange;
  const attributes = SELECTING.has(info.verb) ? withSelectors(exchange) : attributesOf(user, info);
  const { meter } = environment;
  const decision = yield* settled(environment.authorizer.authorize(attributes));
  meter?.authorized(exchange, decision);
  exchange.audit?.decided(attributes, decision);
  exchange.observer?.decided(attributes, decision);
  if (decision.decision === 'Allow') return undefined;
  if (decision.error) return internalErrorResult(exchange, decision.error.message);
  throw refusal(exchange, attributes, decision.reason);
}

/** Returns the attributes of a request that the authorizers decide on. */
export function attributesOf(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  const { verb, resourceRequest, group, version, resource, subresource, namespace, name, path } = info;
  return { user, verb, resourceRequest, group, version, resource, subresource, namespace, name, path };
}

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/**
 * Returns the attributes of a request for several objects, with its selectors. A watch with the old path `/watch/…` does not always apply
 * them, so it is authorized as a watch of all objects (spec 12.1).
 */
function withSelectors({ environment, user, info, query }: Exchange): AuthorizationAttributes {
  const attributes = attributesOf(user, info);
  if (!environment.host.gates.AuthorizeWithSelectors || info.special !== '') return attributes;
  return { ...attributes, ...selectorRequirements(query.first('fieldSelector'), query.first('labelSelector')) };
}

/** Returns the error of a request that is refused before its handler ran. */
export function refusal(exchange: Exchange, attributes: AuthorizationAttributes, reason: string): ApiError {
  exchange.headers['X-Content-Type-Options'] = 'nosniff';
  return forbiddenError(attributes, reason);
}

/**
 * Authorizes a further action of the caller, beyond the one that the request names.
 * @throws ApiError 403.
 */
export async function requireAuthorization(
  { authorizer, host }: RequestEnvironment,
  attributes: AuthorizationAttributes,
  observer?: RequestObserver,
): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  observer?.checked(attributes, decision);
  if (decision.decision === 'Allow') return;
  if (decision.error) throw apiError.internal(decision.error.message);
  if (host.dialect.rulings.refusedCreation === 'names-the-caller') throw forbiddenError(attributes, decision.reason);
  throw apiError.forbidden(
    { group: attributes.group, resource: attributes.resource },
    attributes.name,
    decision.reason,
  );
}

function forbiddenError(attributes: AuthorizationAttributes, reason: string) {
  const message = forbiddenMessage(attributes, reason);
  if (!attributes.resourceRequest) return apiError.forbiddenPath(message);
  return apiError.forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, message);
}
