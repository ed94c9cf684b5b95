import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import { readOptionalTextFile } from '../files.js';
import type { Flags, FlagValues } from '../flags.js';
import type { FollowedFile } from './follow-file.js';
import { parseConfiguration, readConfiguration } from './read-configuration.js';
import { readWebhookConnection } from './webhook-connection.js';

/** How tokens of others are known, as flags and the file they name say. */
export interface JwtOptions {
  readonly authentication: readonly AuthenticatorFactory[];
  /** Whether the file says who is anonymous. */
  readonly configuresAnonymous: boolean;
  readonly followed: readonly FollowedFile[];
}

const CONFIG = 'authentication-config';
const GATE = 'StructuredAuthenticationConfiguration';

/** Issuers of tokens by `--authentication-config` or `--oidc-*`, then the webhook (spec 11.13, 11.17, 11.18). @throws Error for what cannot be used. */
export async function jwtOptions(flags: Flags, log: (message: string) => void): Promise<JwtOptions> {
  const configured = flags.values[CONFIG]
    ? await byFile(flags, flags.values[CONFIG], log)
    : await byFlags(flags.values);
  const webhook = await webhookAuthenticator(flags.values);
  return { ...configured, authentication: [...configured.authentication, ...webhook] };
}

const ownIssuers = (values: FlagValues): readonly string[] =>
  values['service-account-issuer'] ?? [`https://${values.dialect}.default.svc`];

async function byFile({ values, given }: Flags, path: string, log: (message: string) => void): Promise<JwtOptions> {
  const gates = values['feature-gates'];
  if (gates?.get(GATE) === 'false')
    throw new Error(`set --feature-gates=${GATE}=true to use authentication-config file`);
  const { text, value, problems } = await readConfiguration(path);
  if (text.trim() === '') throw new Error('empty config data');
  const { authenticationConfiguration } = await import('../../authentication/jwt/authentication-configuration.js');
  // It is checked there.
  const configured = await authenticationConfiguration(value as object, {
    dialect: values.dialect === 'k8s' ? 'k8s' : 'orch',
    disallowedIssuers: ownIssuers(values),
    anonymousAllowed: gates?.get('AnonymousAuthConfigurableEndpoints') === 'true',
    typed: true,
    problems,
  });
  if (configured.configuresAnonymous && given.has('anonymous-auth'))
    throw new Error(
      'anonymous: Forbidden: --anonynous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    );
  const take = async (next: string) => {
    if (next.trim() === '') throw new Error('empty config data');
    const read = await parseConfiguration(next);
    await configured.replace(read.value, { problems: read.problems });
  };
  return { ...configured, followed: [{ configures: 'authentication', path, text, take, log }] };
}

async function byFlags(values: FlagValues): Promise<JwtOptions> {
  const issuerUrl = values['oidc-issuer-url'];
  if (!issuerUrl) return { authentication: [], configuresAnonymous: false, followed: [] };
  const { oidc } = await import('../../authentication/jwt/oidc.js');
  const authority = await readOptionalTextFile(values['oidc-ca-file']);
  const optional = {
    usernamePrefix: values['oidc-username-prefix'],
    groupsClaim: values['oidc-groups-claim'],
    groupsPrefix: values['oidc-groups-prefix'],
    certificateAuthority: authority,
  };
  const authenticator = oidc({
    issuerUrl,
    clientId: values['oidc-client-id'] ?? '',
    usernameClaim: values['oidc-username-claim'],
    requiredClaims: Object.fromEntries(values['oidc-required-claim'] ?? []),
    signingAlgorithms: values['oidc-signing-algs'],
    disallowedIssuers: ownIssuers(values),
    ...definedOf(optional),
  });
  return { authentication: [authenticator], configuresAnonymous: false, followed: [] };
}

function definedOf<T extends Readonly<Record<string, string | undefined>>>(members: T): Record<string, string> {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

async function webhookAuthenticator(values: FlagValues): Promise<AuthenticatorFactory[]> {
  const file = values['authentication-token-webhook-config-file'];
  if (!file) return [];
  const version = values['authentication-token-webhook-version'];
  const connection = await readWebhookConnection(file);
  if (version !== 'v1' && version !== 'v1beta1')
    throw new Error(`unsupported authentication webhook version "${version}", supported versions are "v1", "v1beta1"`);
  const { webhookTokens } = await import('../../authentication/tokens/webhook-token.js');
  return [webhookTokens({ connection, version, cacheLifetime: values['authentication-token-webhook-cache-ttl'] })];
}
