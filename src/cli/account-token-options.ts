import type { AccountTokenOptions } from '../tokens/account-tokens.js';
import { readTextFile } from './files.js';
import type { FlagValues } from './flags.js';
import { givenDialect } from './given-dialect.js';

/**
 * What the flags say of service account tokens; reads the files they name. Without files of keys that verify, the key of
 * TLS does where the dialect says so, and signs where no key is given at all (spec 14.12, 19.7).
 */
export async function accountTokenOptions(values: FlagValues): Promise<AccountTokenOptions> {
  const dialect = givenDialect(values);
  const {
    'service-account-issuer': issuers,
    'service-account-jwks-uri': jwksUri,
    'api-audiences': apiAudiences,
  } = values;
  const signingFile = values['service-account-signing-key-file'];
  const secretKeyFile = values['service-account-private-key-file'];
  const tlsKeyFile = values['tls-private-key-file'];
  const fallback = dialect.rulings.serviceAccountKeyFallsBackToTlsKey ? tlsKeyFile : undefined;
  const given = values['service-account-key-file'];
  // What only the server's own key signed is known by that key: without one of its own the fallback signs as well.
  const signingFileOrFallback = signingFile ?? (given === undefined ? fallback : undefined);
  const keyFiles = given ?? (signingFile !== undefined && fallback !== undefined ? [fallback] : []);
  return {
    ...(issuers ? { issuers } : {}),
    ...(signingFileOrFallback === undefined ? {} : { signingKey: await readTextFile(signingFileOrFallback) }),
    ...(secretKeyFile === undefined ? {} : { secretSigningKey: await readTextFile(secretKeyFile) }),
    secretCleanUpPeriod: values['legacy-service-account-token-clean-up-period'],
    keys: await Promise.all(keyFiles.map((file) => readTextFile(file))),
    ...(apiAudiences ? { apiAudiences } : {}),
    maxExpirationSeconds: values['service-account-max-token-expiration'] / 1000,
    extendExpiration: values['service-account-extend-token-expiration'],
    ...(jwksUri === undefined ? {} : { jwksUri }),
    lookup: values['service-account-lookup'],
  };
}
