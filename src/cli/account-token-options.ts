import type { AccountTokenOptions } from '../tokens/account-tokens.js';
import { readTextFile } from './files.js';
import type { FlagValues } from './flags.js';
import { selectedDialect } from './selected-dialect.js';

/**
 * Reads the options of service account tokens from the flags and the files they name. Without key files, the private key of TLS verifies
 * tokens if the dialect allows it; without any key at all, it signs them, too (spec 14.12, 19.7).
 */
export async function accountTokenOptions(values: FlagValues): Promise<AccountTokenOptions> {
  const dialect = selectedDialect(values);
  const {
    'service-account-issuer': issuers,
    'service-account-jwks-uri': jwksUri,
    'api-audiences': apiAudiences,
  } = values;
  const signingFile = values['service-account-signing-key-file'];
  const secretKeyFile = values['service-account-private-key-file'];
  const tlsKeyFile = values['tls-private-key-file'];
  const fallback = dialect.rulings.serviceAccountKeyFallsBackToTlsKey ? tlsKeyFile : undefined;
  const keyFileFlag = values['service-account-key-file'];
  // Tokens must be verified with the key that signed them. Without a signing key and without key files, the fallback therefore signs as
  // well.
  const signingFileOrFallback = signingFile ?? (keyFileFlag === undefined ? fallback : undefined);
  const keyFiles = keyFileFlag ?? (signingFile !== undefined && fallback !== undefined ? [fallback] : []);
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
