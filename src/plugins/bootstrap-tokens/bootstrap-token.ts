import { type AuthenticatorFactory, skipped } from '../../authentication/authenticator.js';
import { tokenAuthenticator } from '../../authentication/tokens/bearer-token.js';
import { sameSecret } from '../../authentication/tokens/same-secret.js';
import type { Host } from '../../meta/host.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { Secret } from '../../resources/core/core-v1.types.js';
import { secretText } from '../secret-text.js';
import {
  bootstrapExpiration,
  bootstrapNamespace,
  bootstrapSecretPrefix,
  bootstrapSecretType,
} from './bootstrap-secret.js';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const GROUP_TEXT = '\\Asystem:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]\\z';
const DEFAULT_GROUP = 'system:bootstrappers';

/** Authenticates bootstrap tokens `id.secret` of joining nodes. The tokens are stored in secrets of kube-system (spec 11.11). */
export function bootstrapTokens(): AuthenticatorFactory {
  return (host) => {
    const secrets = host.lister<Secret>('', 'secrets');
    return tokenAuthenticator('bootstrap-token', (token) => {
      const [, id, tokenSecret] = TOKEN.exec(token) ?? [];
      if (id === undefined || tokenSecret === undefined) return skipped;
      const name = `${bootstrapSecretPrefix}${id}`;
      const secret = secrets.get(bootstrapNamespace, name);
      if (!secret) {
        host.log(`No secret of name ${name} to match bootstrap bearer token`);
        return skipped;
      }
      const user = readUser(secret, id, tokenSecret, host);
      if (typeof user === 'object')
        return {
          outcome: 'authenticated',
          user,
          authenticator: 'bootstrap-token',
          basis: [{ group: '', resource: 'secrets', namespace: bootstrapNamespace, name }],
          until: bootstrapExpiration(secret) - 1,
        };
      host.log(`Bootstrap secret ${bootstrapNamespace}/${name} matching bearer token ${user}`);
      return skipped;
    });
  };
}

/** Returns the user that a secret authenticates, or why the token is refused. The reason is only logged. */
function readUser(secret: Secret, id: string, tokenSecret: string, { dialect, clock }: Host): UserInfo | string {
  if (secret.metadata.deletionTimestamp !== undefined) return 'is deleted and awaiting removal';
  const type = bootstrapSecretType(dialect);
  if (secret.type !== type || secret.data === undefined) return `has invalid type, expected ${type}.`;
  if (!sameSecret(secretText(secret, 'token-secret'), tokenSecret)) return 'has invalid value for key token-secret.';
  if (secretText(secret, 'token-id') !== id) return 'has invalid value for key token-id.';
  if (bootstrapExpiration(secret) <= clock.now()) return 'has expired.';
  if (secretText(secret, 'usage-bootstrap-authentication') !== 'true')
    return 'not marked usage-bootstrap-authentication=true.';
  const extra = secretText(secret, 'auth-extra-groups');
  const groups = extra === '' ? [] : extra.split(',');
  const wrong = groups.find((group) => !GROUP.test(group));
  if (wrong !== undefined)
    return `has invalid value for key auth-extra-groups: bootstrap group "${wrong}" is invalid (must match ${GROUP_TEXT}).`;
  const all = [...new Set([DEFAULT_GROUP, ...groups])].sort();
  return Object.freeze({ username: `system:bootstrap:${id}`, groups: Object.freeze(all) });
}
