import { abac } from '../authorization/abac.js';
import { alwaysAllow } from '../authorization/always-allow.js';
import { alwaysDeny } from '../authorization/always-deny.js';
import { type Authorizer, type AuthorizerFactory, NO_RULES } from '../authorization/authorizer.js';
import { unionAuthorizer } from '../authorization/union.js';
import { type CompileConditions, loadMatchConditions } from '../authorization/webhook/match-conditions.js';
import { type ConnectionOf, validateAuthorization } from '../authorization/webhook/validate-authorization.js';
import { conditionalWebhook } from '../authorization/webhook/webhook.js';
import {
  type AuthorizationConfiguration,
  authorizationConfigurationSchema,
  type DecodedAuthorizationConfiguration,
  type DecodedAuthorizer,
  type DecodedWebhook,
} from '../authorization/webhook/webhook-configuration.js';
import { aggregateErrors } from '../meta/aggregate-error.js';
import { type Dialect, dialectOf } from '../meta/dialect.js';
import { formatFieldErrors } from '../meta/field-error.js';
import type { Host } from '../meta/host.js';
import type { WebhookConnection } from '../outbound/review-webhook.js';
import { ConfigurationError, decodeConfiguration } from '../schema/configuration/decode-configuration.js';
import { durationToMilliseconds, parseDuration } from '../values/duration.js';
import { messageOf } from '../values/message-of.js';
import { node } from './nodes/node-authorizer.js';
import { rbac } from './rbac/rbac.js';

/** How an AuthorizationConfiguration is read. */
export interface AuthorizationConfigurationOptions {
  /** The API dialect ({@link Dialect}), which determines the names of API groups. Default `orch`. */
  readonly dialect?: Dialect['name'];
  /**
   * The connections to webhooks, by the path in the configuration's `kubeConfigFile`. If the file does not describe a usable connection,
   * the value is a string with the reason. Default: none.
   */
  readonly connections?: Readonly<Record<string, WebhookConnection | string>>;
  /** The policy of authorizers of type ABAC. `path` is the path of the policy file in error messages. Default: no policy. */
  readonly abacPolicy?: { readonly text: string; readonly path?: string };
  /** Whether `apiVersion` and `kind` are required, as they are in a configuration file. Default false. */
  readonly typed?: boolean;
  /** Errors that the YAML or JSON parser has found, such as duplicate keys. Default: none. */
  readonly problems?: readonly string[];
  /** Whether match conditions may read selectors, as with the feature gate AuthorizeWithSelectors of the servers. Default false. */
  readonly selectors?: boolean;
}

/** Authorizers that are created from a configuration. The configuration can be replaced while servers use the authorizers. */
export interface ConfiguredAuthorization {
  /** The authorizers, for the server option `authorization`. */
  readonly authorization: readonly AuthorizerFactory[];
  /**
   * Replaces the configuration for all later requests.
   * @throws ConfigurationError when the replacement is not valid, lacks a built-in type of the initial configuration, or adds Node, RBAC or
   * ABAC. The old configuration then stays in force.
   */
  replace(
    configuration: unknown,
    options?: Pick<AuthorizationConfigurationOptions, 'connections' | 'problems'>,
  ): Promise<void>;
}

const VERSIONS = ['v1alpha1', 'v1beta1'];
/** The authorizer types that a replacement cannot add, because they need state that a server sets up when it starts. */
const NEVER_ADDED = ['Node', 'RBAC', 'ABAC'];
const FIVE_MINUTES = '5m';
const HALF_A_MINUTE = '30s';

interface Valid {
  readonly authorizers: readonly DecodedAuthorizer[];
  readonly compile: CompileConditions;
  readonly connectionOf: ConnectionOf;
}

/** Reads an AuthorizationConfiguration from an object, not a file (spec 12.13). @throws ConfigurationError with upstream's message. */
export async function authorizationConfiguration(
  configuration: AuthorizationConfiguration,
  options: AuthorizationConfigurationOptions = {},
): Promise<ConfiguredAuthorization> {
  const dialect = dialectOf(options.dialect ?? 'orch');
  let current = await readValid(configuration, dialect, options);
  const builtin = current.authorizers.map(({ type }) => type).filter((type) => type !== 'Webhook');
  const servers = new Set<Chain>();
  let replacing: Promise<void> = Promise.resolve();

  const factory: AuthorizerFactory = (host) => {
    if (host.dialect.name !== dialect.name)
      throw new TypeError(
        `the authorization configuration was read for the dialect ${dialect.name}, but the server has another dialect`,
      );
    const chain = new Chain(host, options.abacPolicy, current);
    servers.add(chain);
    return chain.authorizer(builtin);
  };
  return {
    authorization: [factory],
    replace(next, more) {
      // Replacements run one after the other, so that the configuration that was requested last stays in force.
      const done = replacing.then(() => replace(next, more));
      replacing = done.catch(() => {});
      return done;
    },
  };

  async function replace(next: unknown, more: Partial<AuthorizationConfigurationOptions> = {}): Promise<void> {
    const valid = await readValid(next, dialect, { ...options, ...more }, builtin);
    const types = valid.authorizers.map(({ type }) => type);
    const added = types.find((type) => NEVER_ADDED.includes(type) && !builtin.includes(type));
    if (added !== undefined)
      throw new ConfigurationError(
        `authorizer type ${added} is not allowed if it was not enabled at initial server startup`,
      );
    const swaps = [...servers].map((chain) => chain.prepare(valid));
    for (const swap of swaps) swap();
    current = valid;
  }
}

/** The authorizers of one server. A replacement of the configuration replaces them. */
class Chain {
  readonly #host: Host;
  readonly #abacPolicy: AuthorizationConfigurationOptions['abacPolicy'];
  /**
   * The built-in authorizers by type. An authorizer is kept when the configuration is replaced, because it watches the server's objects
   * from its creation on.
   */
  readonly #builtin = new Map<string, Authorizer>();
  #current: Authorizer;

  constructor(host: Host, abacPolicy: AuthorizationConfigurationOptions['abacPolicy'], valid: Valid) {
    this.#host = host;
    this.#abacPolicy = abacPolicy;
    this.#current = this.#make(valid);
  }

  /** @param types the built-in types of the initial configuration, which every later configuration has as well */
  authorizer(types: readonly string[]): Authorizer {
    return {
      name: 'authorization-configuration',
      includes: types.flatMap((type) => this.#builtin.get(type)?.name ?? []),
      authorize: (attributes) => this.#current.authorize(attributes),
      rulesFor: (user, namespace) => this.#current.rulesFor?.(user, namespace) ?? NO_RULES,
    };
  }

  /** Creates the authorizers of a new configuration. @returns a function that puts the configuration in force. */
  prepare(valid: Valid): () => void {
    const next = this.#make(valid);
    return () => {
      this.#current = next;
    };
  }

  #make(valid: Valid): Authorizer {
    return unionAuthorizer(valid.authorizers.map((each) => this.#makeOne(each, valid)));
  }

  #makeOne({ type, name, webhook }: DecodedAuthorizer, valid: Valid): Authorizer {
    if (webhook) return makeWebhook(name, webhook, valid)(this.#host);
    let builtinAuthorizer = this.#builtin.get(type);
    if (!builtinAuthorizer) this.#builtin.set(type, (builtinAuthorizer = this.#makeBuiltin(type)(this.#host)));
    return builtinAuthorizer;
  }

  #makeBuiltin(type: string): AuthorizerFactory {
    switch (type) {
      case 'Node':
        return node();
      case 'RBAC':
        return rbac();
      case 'ABAC':
        return abac(this.#abacPolicy?.text ?? '', this.#abacPolicy);
      case 'AlwaysAllow':
        return alwaysAllow();
      default:
        return alwaysDeny();
    }
  }
}

/** Creates a webhook authorizer. It cannot throw, because the configuration has been validated. */
function makeWebhook(name: string, webhook: DecodedWebhook, { compile, connectionOf }: Valid): AuthorizerFactory {
  const { subjectAccessReviewVersion: version, failurePolicy, connectionInfo, matchConditions = [] } = webhook;
  const connection = connectionOf(connectionInfo.kubeConfigFile ?? '');
  const milliseconds = (text: string | undefined, absent: string) => {
    const nanoseconds = parseDuration(text ?? '0');
    // The conversion keeps fractions of milliseconds, so that a lifetime below a millisecond does not become zero.
    return nanoseconds === 0n ? durationToMilliseconds(parseDuration(absent)) : Number(nanoseconds) / 1e6;
  };
  return conditionalWebhook(
    {
      name,
      connection: connection as WebhookConnection,
      version: version as 'v1' | 'v1beta1',
      failurePolicy: failurePolicy as 'NoOpinion' | 'Deny',
      timeout: milliseconds(webhook.timeout, HALF_A_MINUTE),
      allowedLifetime: milliseconds(webhook.authorizedTTL, FIVE_MINUTES),
      otherLifetime: milliseconds(webhook.unauthorizedTTL, HALF_A_MINUTE),
    },
    matchConditions.length === 0 ? undefined : compile(matchConditions.map(({ expression }) => expression)),
  );
}

/** Reads and validates a configuration, which must contain the `required` types. */
async function readValid(
  value: unknown,
  dialect: Dialect,
  options: AuthorizationConfigurationOptions,
  required: readonly string[] = [],
): Promise<Valid> {
  const { typed = false, problems = [], connections = {}, abacPolicy, selectors = false } = options;
  const configuration = decode(value, dialect, typed, problems);
  const { authorizers = [] } = configuration;
  const withConditions = authorizers.some(({ webhook }) => (webhook?.matchConditions?.length ?? 0) > 0);
  const compile = withConditions ? await loadMatchConditions(dialect, selectors) : () => () => ({ matches: true });
  const connectionOf = (path: string) => (Object.hasOwn(connections, path) ? connections[path] : undefined);
  const errors = validateAuthorization(configuration, { dialect, connectionOf, compile });
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  const problem = aggregateErrors(namesAndTypes(authorizers, required));
  if (problem) throw new ConfigurationError(problem.message);
  if (!abacPolicy && authorizers.some(({ type }) => type === 'ABAC'))
    throw new ConfigurationError("authorization-mode ABAC's authorization policy file not passed");
  return { authorizers, compile, connectionOf };
}

/** Returns an error for each built-in authorizer with another name than its own, and one for the missing types. */
function namesAndTypes(authorizers: readonly DecodedAuthorizer[], required: readonly string[]): Error[] {
  const errors: Error[] = [];
  for (const { type, name } of authorizers) {
    const expectedName = type.toLowerCase();
    if (type !== 'Webhook' && name !== expectedName)
      errors.push(new Error(`expected name ${expectedName} for authorizer ${type} instead of ${name}`));
  }
  const missing = required.filter((type) => !authorizers.some((authorizer) => authorizer.type === type)).sort();
  if (missing.length > 0) errors.push(new Error(`missing required types: [${missing.join(' ')}]`));
  return errors;
}

function decode(
  value: unknown,
  { groupSuffix }: Dialect,
  typed: boolean,
  problems: readonly string[],
): DecodedAuthorizationConfiguration {
  const kind = { kind: 'AuthorizationConfiguration', versions: VERSIONS, schema: authorizationConfigurationSchema };
  const strict: string[] = [];
  const options = { groupSuffix, untyped: !typed, problems, warn: (problem: string) => void strict.push(problem) };
  try {
    // The schema describes the members of this type, so the cast of the decoded value is safe. An empty file is an empty configuration.
    const decoded = (
      value === null ? {} : decodeConfiguration(value, kind, options)
    ) as DecodedAuthorizationConfiguration;
    if (decoded.authorizers !== undefined) checkDurations((value as Written).authorizers ?? []);
    // Upstream reports unknown fields only for a configuration that it can read.
    if (strict.length > 0) throw new ConfigurationError(strict.join(', '));
    return decoded;
  } catch (error) {
    throw new ConfigurationError(`failed to load AuthorizationConfiguration from file: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const DURATIONS = ['timeout', 'authorizedTTL', 'unauthorizedTTL'] as const;
type Written = {
  readonly authorizers?: readonly (null | {
    readonly webhook?: null | Readonly<Partial<Record<(typeof DURATIONS)[number], string | null>>>;
  })[];
};

/** Throws for a duration that cannot be parsed. Upstream reads null as an empty string, which is no duration. */
function checkDurations(authorizers: NonNullable<Written['authorizers']>): void {
  for (const authorizer of authorizers) {
    for (const name of DURATIONS) {
      const text = authorizer?.webhook?.[name];
      if (text !== undefined) parseDuration(text ?? '');
    }
  }
}
