import { sleep } from '../../meta/clock.js';
import { type Dialect, dialectOf } from '../../meta/dialect.js';
import { type FieldError, fieldError, formatFieldErrors, printed } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import { parseCertificates } from '../../pki/parse-certificate.js';
import { ConfigurationError, decodeConfiguration } from '../../schema/configuration/decode-configuration.js';
import { readToken } from '../../tokens/compact-token.js';
import { quote } from '../../values/quote.js';
import { anonymous } from '../anonymous.js';
import { type AuthenticationResult, type AuthenticatorFactory, skipped } from '../authenticator.js';
import { type TokenAuthenticator, tokenAuthenticator } from '../tokens/bearer-token.js';
import { type ClaimExpressions, loadClaimExpressions } from './claim-expressions.js';
import { type JwtAuthenticator, jwtAuthenticator } from './jwt-authenticator.js';
import {
  type Anonymous,
  type AuthenticationConfiguration,
  authenticationConfigurationSchema,
  type DecodedAuthenticationConfiguration,
} from './jwt-configuration.js';
import { MALFORMED, validateIssuerUrl } from './validate-issuer.js';
import { validateJwt } from './validate-jwt.js';
import { canonicalIssuer } from './verify-claims.js';

const MAX_ISSUERS = 64;
const SECOND = 1000;
/**
 * `READY_PAUSE` is the pause between attempts to discover the issuers of a replacement configuration. After `READY_LIMIT` the replacement
 * fails. Both are in milliseconds. A replacement takes effect only after all its issuers have been discovered.
 */
const READY_PAUSE = 10 * SECOND;
const READY_LIMIT = 60 * SECOND;
const VERSIONS = ['v1alpha1', 'v1beta1'];

/** How an AuthenticationConfiguration is read. */
export interface AuthenticationConfigurationOptions {
  /** The API dialect, which determines the API group of the configuration and the wording of errors. Default `orch`. */
  readonly dialect?: Dialect['name'];
  /** The URLs of the server's own token issuers. The configuration must not contain an issuer with one of these URLs. Default: none. */
  readonly disallowedIssuers?: readonly string[];
  /** Whether `anonymous` may be configured (the gate AnonymousAuthConfigurableEndpoints). Default true. */
  readonly anonymousAllowed?: boolean;
  /** Whether `apiVersion` and `kind` are required, as they are in a configuration file. Default false. */
  readonly typed?: boolean;
  /** Errors that the YAML or JSON parser has found, such as duplicate keys. Default: none. */
  readonly problems?: readonly string[];
}

/** The authenticators of a configuration. The configuration can be replaced while servers use the authenticators. */
export interface ConfiguredAuthentication {
  /** The authenticators, for the server option `authentication`. */
  readonly authentication: readonly AuthenticatorFactory[];
  /** Whether the configuration has a section `anonymous`. */
  readonly configuresAnonymous: boolean;
  /**
   * Replaces the configuration for all later requests, once all issuers of the new configuration have been discovered.
   * @throws ConfigurationError when the replacement is not valid, when its `anonymous` differs from that of the initial configuration, or
   * when an issuer is not discovered within a minute. The old configuration then stays in force.
   */
  replace(configuration: unknown, options?: Pick<AuthenticationConfigurationOptions, 'problems'>): Promise<void>;
}

interface Valid {
  readonly configuration: DecodedAuthenticationConfiguration;
  readonly expressions: ClaimExpressions | undefined;
}

/** Reads an AuthenticationConfiguration from an object, not a file (spec 11.18). @throws ConfigurationError with upstream's message. */
export async function authenticationConfiguration(
  configuration: AuthenticationConfiguration,
  options: AuthenticationConfigurationOptions = {},
): Promise<ConfiguredAuthentication> {
  const dialect = dialectOf(options.dialect ?? 'orch');
  const disallowed = options.disallowedIssuers ?? [];
  let current = await readValid(configuration, dialect, options, []);
  // Upstream reports an issuer that is not allowed only when it creates the authenticators, so the field path in the message begins with
  // `issuer` instead of `jwt[0].issuer`.
  const overlaps = (current.configuration.jwt ?? []).flatMap(({ issuer }) =>
    validateIssuerUrl(issuer.url, 'issuer.url', disallowed),
  );
  if (overlaps.length > 0) throw new ConfigurationError(formatFieldErrors(overlaps));
  const first = current.configuration.anonymous;
  const servers = new Set<ConfiguredIssuers>();
  let replacing: Promise<void> = Promise.resolve();

  return {
    configuresAnonymous: first !== undefined,
    authentication: [
      (host) => {
        if (host.dialect.name !== dialect.name)
          throw new TypeError(
            `the authentication configuration was read for the dialect ${dialect.name}, but the server has another dialect`,
          );
        const issuers = new ConfiguredIssuers(host, current);
        servers.add(issuers);
        return tokenAuthenticator('jwt', (...question) => issuers.authenticate(...question));
      },
      ...(first?.enabled ? [anonymousBy(first)] : []),
    ],
    replace(next, more) {
      // Replacements run one after the other, so that the configuration that was requested last stays in force.
      const done = replacing.then(() => replace(next, more));
      replacing = done.catch(() => {});
      return done;
    },
  };

  async function replace(
    next: unknown,
    more: Pick<AuthenticationConfigurationOptions, 'problems'> = {},
  ): Promise<void> {
    const valid = await readValid(next, dialect, { ...options, ...more }, disallowed);
    if (JSON.stringify(valid.configuration.anonymous) !== JSON.stringify(first))
      throw new ConfigurationError('anonymous: Forbidden: changed from initial configuration file');
    const swaps = await Promise.all([...servers].map((each) => each.prepare(valid)));
    for (const swap of swaps) swap();
    current = valid;
  }
}

/** As in upstream, anonymous requests are allowed for all paths if the list of conditions is empty. */
function anonymousBy(configured: Anonymous): AuthenticatorFactory {
  const paths = pathsOf(configured);
  return anonymous(paths.length === 0 ? {} : { paths });
}

const pathsOf = ({ conditions = [] }: Anonymous): readonly string[] => conditions.map(({ path }) => path);

/** The issuers of one server. A replacement of the configuration replaces them. */
class ConfiguredIssuers {
  readonly #host: Host;
  #byIssuer: ReadonlyMap<string, JwtAuthenticator>;

  constructor(host: Host, valid: Valid) {
    this.#host = host;
    this.#byIssuer = this.#make(valid);
    for (const issuer of this.#byIssuer.values()) void issuer.initialize();
  }

  async authenticate(
    ...[token, ...audiences]: Parameters<TokenAuthenticator['authenticateToken']>
  ): Promise<AuthenticationResult> {
    const issuer = canonicalIssuer(readToken(token)?.claims['iss']);
    const known = typeof issuer === 'string' ? this.#byIssuer.get(issuer) : undefined;
    // One authenticator handles the whole request, even if another configuration takes effect in the meantime.
    return known ? await known.authenticateToken(token, ...audiences) : skipped;
  }

  /**
   * Discovers the issuers of a new configuration. @returns a function that puts the configuration in force. @throws ConfigurationError when
   * an issuer is not found in time.
   */
  async prepare(valid: Valid): Promise<() => void> {
    const next = this.#make(valid);
    const waiting = new Map(next);
    for (let passed = 0; ; passed += READY_PAUSE) {
      await Promise.all(
        [...waiting].map(async ([url, issuer]) => {
          if ((await issuer.initialize()) === undefined) waiting.delete(url);
        }),
      );
      if (waiting.size === 0) break;
      const [url = ''] = waiting.keys();
      if (passed >= READY_LIMIT)
        throw new ConfigurationError(`oidc: authenticator for issuer ${JSON.stringify(url)} is not healthy`);
      await sleep(this.#host.clock, READY_PAUSE, undefined, 'authenticators that become ready');
    }
    return () => {
      this.#byIssuer = next;
    };
  }

  #make({ configuration: { jwt = [] }, expressions }: Valid): ReadonlyMap<string, JwtAuthenticator> {
    return new Map(jwt.map((each) => [each.issuer.url, jwtAuthenticator({ jwt: each, expressions }, this.#host)]));
  }
}

async function readValid(
  value: unknown,
  dialect: Dialect,
  options: AuthenticationConfigurationOptions,
  disallowed: readonly string[],
): Promise<Valid> {
  const { typed = false, problems = [], anonymousAllowed = true } = options;
  const kind = { kind: 'AuthenticationConfiguration', versions: VERSIONS, schema: authenticationConfigurationSchema };
  const { groupSuffix } = dialect;
  // The schema describes the members of this type, so the cast of the decoded value is safe.
  const configuration = decodeConfiguration(value, kind, {
    groupSuffix,
    untyped: !typed,
    problems,
  }) as DecodedAuthenticationConfiguration;
  const expressions = hasExpressions(configuration) ? await loadClaimExpressions(dialect) : undefined;
  const errors = validateConfiguration(configuration, disallowed, expressions, anonymousAllowed);
  if (errors.length === 0) errors.push(...(await validateAuthorities(configuration)));
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return { configuration, expressions };
}

/** Returns an error for each issuer with a certificate authority that cannot be parsed. */
async function validateAuthorities({ jwt = [] }: DecodedAuthenticationConfiguration): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [i, { issuer }] of jwt.entries()) {
    // The reader of certificates is large, so it is loaded only for a configuration that has certificates.
    if (!issuer.certificateAuthority) continue;
    await parseCertificates(issuer.certificateAuthority).catch(() =>
      errors.push(fieldError.invalid(`jwt[${i}].issuer.certificateAuthority`, '<omitted>', MALFORMED)),
    );
  }
  return errors;
}

function hasExpressions({ jwt = [] }: DecodedAuthenticationConfiguration): boolean {
  return jwt.some(
    ({ claimMappings: { username, groups, uid, extra = [] }, claimValidationRules = [], userValidationRules = [] }) =>
      [username, groups, uid, ...claimValidationRules].some(({ expression = '' }) => expression !== '') ||
      extra.length + userValidationRules.length > 0,
  );
}

/** Returns the validation errors of a configuration, in upstream's order (spec 11.18). */
export function validateConfiguration(
  { jwt = [], anonymous: access }: DecodedAuthenticationConfiguration,
  disallowed: readonly string[],
  expressions: ClaimExpressions | undefined,
  anonymousAllowed: boolean,
): FieldError[] {
  if (jwt.length > MAX_ISSUERS) return [fieldError.tooMany('jwt', jwt.length, MAX_ISSUERS)];
  const urls = new Set<string>();
  const discoveryUrls = new Set<string>();
  const errors = jwt.flatMap((each, i) => {
    const path = `jwt[${i}]`;
    const { url, discoveryURL = '' } = each.issuer;
    const errors = validateJwt(each, path, disallowed, expressions);
    if (urls.has(url)) errors.push(fieldError.duplicate(`${path}.issuer.url`, url));
    urls.add(url);
    if (discoveryURL === '') return errors;
    if (discoveryUrls.has(discoveryURL)) errors.push(fieldError.duplicate(`${path}.issuer.discoveryURL`, discoveryURL));
    discoveryUrls.add(discoveryURL);
    return errors;
  });
  if (access && !anonymousAllowed) {
    const detail = 'anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled';
    errors.push(fieldError.forbidden('anonymous', detail));
  }
  if (access && !access.enabled && (access.conditions?.length ?? 0) > 0) {
    const detail = 'enabled should be set to true when conditions are defined';
    const shown = pathsOf(access).map((path) => `apiserver.AnonymousAuthCondition{Path:${quote(path)}}`);
    const list = printed(`[]apiserver.AnonymousAuthCondition{${shown.join(', ')}}`);
    errors.push(fieldError.invalid('anonymous.conditions', list, detail));
  }
  return errors;
}
