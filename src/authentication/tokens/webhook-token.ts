import { isJsonObject, type JsonObject } from '../../json/value.js';
import type { UserInfo } from '../../meta/user-info.js';
import { ExpiringCache } from '../../outbound/expiring-cache.js';
import { flagOf, reviewWebhook, textOf, textsOf, type WebhookConnection } from '../../outbound/review-webhook.js';
import { refuseUnknownMembers } from '../../values/did-you-mean.js';
import { type AuthenticationResult, type AuthenticatorFactory, rejected, skipped } from '../authenticator.js';
import { commonAudiences, tokenAuthenticator } from './bearer-token.js';

/** The options of `webhookTokens`. */
export interface WebhookTokenOptions {
  /** The connection to the webhook. */
  readonly connection: WebhookConnection;
  /** The API version of the TokenReview that is sent. Default `v1beta1`, as in upstream. */
  readonly version?: 'v1' | 'v1beta1';
  /**
   * How long a result is cached in milliseconds, whether the token is accepted or not; failed calls are not cached. Default two minutes.
   */
  readonly cacheLifetime?: number;
  /** The time limit of each attempt, in milliseconds. Default 30 seconds. */
  readonly timeout?: number;
}

const NAME = 'webhook-token';
const MINUTE = 60_000;
const MAX_KEPT = 4096;
/** The maximum length of a cached token in characters. Longer tokens are not cached, so that memory is bounded. */
const LONGEST_KEPT = 16 * 1024;

/**
 * Authenticates tokens by sending a TokenReview to another server (spec 11.13).
 * @throws TypeError for an option that does not exist, and without a connection.
 */
export function webhookTokens(options: WebhookTokenOptions): AuthenticatorFactory {
  refuseUnknownMembers('webhookTokens()', options, ['connection', 'version', 'cacheLifetime', 'timeout']);
  if (typeof options.connection !== 'object') throw new TypeError('webhookTokens(): connection must be an object');
  const { connection, version = 'v1beta1', cacheLifetime = 2 * MINUTE, timeout = MINUTE / 2 } = options;
  return (host) => {
    const apiVersion = `authentication.${host.dialect.groupSuffix}/${version}`;
    const ask = reviewWebhook(connection, timeout, host);
    const known = new ExpiringCache<AuthenticationResult>(host.clock, MAX_KEPT);

    return tokenAuthenticator(NAME, async (token, audiences, serverAudiences) => {
      const key = JSON.stringify([token, audiences]);
      const before = known.get(key);
      if (before) return before;
      try {
        const status = await ask({
          apiVersion,
          kind: 'TokenReview',
          metadata: { creationTimestamp: null },
          spec: { token, ...(audiences?.length ? { audiences } : {}) },
          status: { user: {} },
        });
        const result = resultOf(status, audiences, serverAudiences);
        if (result.outcome !== 'rejected' && key.length <= LONGEST_KEPT) known.set(key, result, cacheLifetime);
        return result;
      } catch (error) {
        return rejected(error);
      }
    });
  };
}

function resultOf(
  status: JsonObject,
  requested: readonly string[] | undefined,
  own: readonly string[] | undefined,
): AuthenticationResult {
  const named = textsOf(status, 'audiences');
  const why = textOf(status, 'error');
  const isAuthenticated = flagOf(status, 'authenticated');
  const user = readUser(status['user'] ?? {});
  // As in upstream, the audiences are in the order of the webhook's response, and a token for other audiences causes no error.
  const audiences = requested && commonAudiences(requested, named.length > 0 ? named : (own ?? []));
  if (audiences?.length === 0) return skipped;
  if (!isAuthenticated) return why === '' ? skipped : rejected(new Error(why));
  return {
    outcome: 'authenticated',
    user,
    authenticator: NAME,
    ...(audiences ? { audiences } : {}),
  };
}

/** Reads the user from the webhook's response. @throws Error for members of the wrong type. */
function readUser(user: unknown): UserInfo {
  if (!isJsonObject(user)) throw new Error("user in the webhook's response is not an object");
  const uid = textOf(user, 'uid');
  const groups = textsOf(user, 'groups');
  const extra = user['extra'] ?? {};
  if (!isJsonObject(extra)) throw new Error("extra in the webhook's response is not an object");
  const names = Object.keys(extra);
  return Object.freeze({
    username: textOf(user, 'username'),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: Object.freeze([...groups]) }),
    ...(names.length === 0
      ? {}
      : {
          extra: Object.freeze(
            Object.fromEntries(names.map((name) => [name, Object.freeze([...textsOf(extra, name)])])),
          ),
        }),
  });
}
