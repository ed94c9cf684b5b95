import type { AuthorizationAttributes } from '../authorization/authorizer.js';
import { forbiddenMessage } from '../authorization/forbidden-message.js';
import { apiError } from '../meta/api-error.js';
import { attributesOf, type Exchange, type RequestEnvironment } from './exchange.js';
import { type Result, textResult } from './result.js';

/** Lets the request pass, or refuses it (document 2, section 5.8). @throws ApiError 403. */
export async function authorize(exchange: Exchange): Promise<Result | undefined> {
  const { environment, user, info } = exchange;
  const attributes = attributesOf(user, info);
  const answer = environment.authorizer.authorize(attributes);
  const decision = answer instanceof Promise ? await answer : answer;
  if (decision.decision === 'Allow') return undefined;
  if (decision.error) return textResult(500, `Internal Server Error: "${info.path}": ${decision.error.message}\n`);
  exchange.headers['X-Content-Type-Options'] = 'nosniff';
  throw forbidden(attributes, decision.reason);
}

/** Asks whether the caller may do something more than the request says. @throws ApiError 403. */
export async function requireAuthorization({ authorizer }: RequestEnvironment, attributes: AuthorizationAttributes): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  if (decision.decision !== 'Allow')
    throw apiError.forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, decision.reason);
}

function forbidden(attributes: AuthorizationAttributes, reason: string) {
  const message = forbiddenMessage(attributes, reason);
  if (!attributes.resourceRequest) return apiError.forbiddenPath(message);
  return apiError.forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, message);
}
