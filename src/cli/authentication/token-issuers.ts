import { featureGates } from '../../meta/features/feature-gates.js';
import { parseConfiguration, readConfiguration } from '../configuration/read-configuration.js';
import { featureSwitches } from '../feature-switches.js';
import { readOptionalTextFile } from '../files.js';
import type { FlagDefinition } from '../flag-definition.js';
import { selectedDialect } from '../selected-dialect.js';
import { type ConfiguredMethod, defineMethod, type MethodFlags, type MethodHost } from './method.js';

const CONFIG = 'authentication-config';
const authentication = { group: 'Authentication' } as const;
const oidc = { group: 'OpenID Connect' } as const;
const flags = [
  {
    ...authentication,
    name: 'authentication-config',
    type: 'string',
    help: 'file with an AuthenticationConfiguration',
  },
  { ...oidc, name: 'oidc-issuer-url', type: 'string', help: 'https URL of the issuer' },
  { ...oidc, name: 'oidc-client-id', type: 'string', help: 'audience that tokens must be issued for' },
  { ...oidc, name: 'oidc-username-claim', type: 'string', default: 'sub', help: "claim with the user's name" },
  { ...oidc, name: 'oidc-username-prefix', type: 'string', help: 'prefix of user names; - for no prefix' },
  { ...oidc, name: 'oidc-groups-claim', type: 'string', help: 'claim with the groups' },
  { ...oidc, name: 'oidc-groups-prefix', type: 'string', help: 'prefix of groups' },
  {
    ...oidc,
    name: 'oidc-required-claim',
    type: 'map',
    whole: true,
    help: 'claim=value that tokens must have; repeatable',
  },
  { ...oidc, name: 'oidc-ca-file', type: 'string', help: 'certificate authorities of the issuer, PEM' },
  { ...oidc, name: 'oidc-signing-algs', type: 'list', default: 'RS256', help: 'accepted signature algorithms' },
] as const satisfies readonly FlagDefinition[];
type IssuerFlags = MethodFlags<typeof flags>;

/** Authenticates tokens of the OIDC issuers in `--authentication-config` or `--oidc-*` (spec 11.17, 11.18). */
export const tokenIssuers = defineMethod({
  flags,
  async read(issuerFlags, { log }) {
    const file = issuerFlags.values[CONFIG];
    return file ? await byFile(issuerFlags, file, log) : await byFlags(issuerFlags);
  },
});

const ownIssuers = (values: IssuerFlags['values']): readonly string[] =>
  values['service-account-issuer'] ?? [`https://${values.dialect}.default.svc`];

async function byFile(
  { values, setFlags }: IssuerFlags,
  path: string,
  log: MethodHost['log'],
): Promise<ConfiguredMethod> {
  const gates = featureGates(featureSwitches(values['feature-gates']));
  const { text, value, problems } = await readConfiguration(path);
  if (text.trim() === '') throw new Error('empty config data');
  const { authenticationConfiguration } = await import('../../authentication/jwt/authentication-configuration.js');
  // The cast is safe, because `authenticationConfiguration` validates the value.
  const configured = await authenticationConfiguration(value as object, {
    dialect: selectedDialect(values).name,
    disallowedIssuers: ownIssuers(values),
    anonymousAllowed: gates.AnonymousAuthConfigurableEndpoints,
    typed: true,
    problems,
  });
  if (configured.configuresAnonymous && setFlags.has('anonymous-auth'))
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

async function byFlags({ values }: IssuerFlags): Promise<ConfiguredMethod> {
  const issuerUrl = values['oidc-issuer-url'];
  if (!issuerUrl) return {};
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
  return { authentication: [authenticator] };
}

function definedOf<T extends Readonly<Record<string, string | undefined>>>(members: T): Record<string, string> {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
