import { describe, expect, it } from 'vitest';
import { describeEveryPair, type Pairs, problemsOf } from './every-pair.js';

/* Every pair of flags about authentication and authorization. */
const NO_POLICY = "authorization-mode ABAC's authorization policy file not passed";
const NO_WEBHOOK = "authorization-mode Webhook's authorization config file not passed";
const LONE_POLICY = 'cannot specify --authorization-policy-file without mode ABAC';
const LONE_WEBHOOK = 'cannot specify --authorization-webhook-config-file without mode Webhook';
const ONLY_FILE =
  '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
const HALF_OIDC = 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set';
const FILE_OR_FLAGS = 'authentication-config file and oidc-* flags are mutually exclusive';
const NO_AUTHORIZATION_GATE =
  '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag';
const NO_AUTHENTICATION_GATE =
  'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file';

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  '--anonymous-auth=true': [],
  '--anonymous-auth=false': [],
  '--authorization-mode=AlwaysAllow': [],
  '--authorization-mode=AlwaysDeny': [],
  '--authorization-mode=RBAC': [],
  '--authorization-mode=Node,RBAC': [],
  '--authorization-mode=RBAC,AlwaysAllow': [],
  '--authorization-mode=ABAC': [NO_POLICY],
  '--authorization-mode=Webhook': [NO_WEBHOOK],
  '--authorization-mode=Nobody': ['authorization-mode "Nobody" is not a valid mode'],
  '--authorization-mode=RBAC,RBAC': ['authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  '--authorization-config=file': [],
  '--authorization-policy-file=file': [LONE_POLICY],
  '--authorization-webhook-config-file=file': [LONE_WEBHOOK],
  '--authorization-webhook-version=v1': [],
  '--authorization-webhook-cache-authorized-ttl=1m': [],
  '--authorization-webhook-cache-unauthorized-ttl=1m': [],
  '--authentication-config=file': [],
  '--oidc-issuer-url=https://issuer': [HALF_OIDC],
  '--oidc-client-id=me': [HALF_OIDC],
  '--oidc-username-claim=email': [HALF_OIDC],
  '--oidc-groups-claim=groups': [HALF_OIDC],
  '--oidc-required-claim=a=b': [HALF_OIDC],
  '--oidc-signing-algs=ES256': [HALF_OIDC],
  '--token-auth-file=file': [],
  '--client-ca-file=file': [],
  '--requestheader-client-ca-file=file': [],
  '--enable-bootstrap-token-auth': [],
  '--authentication-token-webhook-config-file=file': [],
  '--feature-gates=StructuredAuthorizationConfiguration=false': [],
  '--feature-gates=StructuredAuthenticationConfiguration=false': [],
  '--feature-gates=AllBeta=false': [],
};

const PAIRS: Pairs = [
  ['--authorization-mode', '--authorization-config', [ONLY_FILE]],
  ['--authorization-webhook-config-file', '--authorization-config', [ONLY_FILE]],
  ['--authorization-webhook-version', '--authorization-config', [ONLY_FILE]],
  ['--authorization-webhook-cache-authorized-ttl', '--authorization-config', [ONLY_FILE]],
  ['--authorization-webhook-cache-unauthorized-ttl', '--authorization-config', [ONLY_FILE]],
  // With a configuration file, mode ABAC reads its policies from there.
  ['--authorization-policy-file', '--authorization-config', []],
  ['--authorization-mode=ABAC', '--authorization-policy-file', []],
  ['--authorization-mode=Webhook', '--authorization-webhook-config-file', []],
  ['--oidc-issuer-url', '--oidc-client-id', []],
  // With a configuration file, the flags are refused whether or not they are complete.
  ['--oidc-issuer-url', '--authentication-config', [FILE_OR_FLAGS]],
  ['--oidc-client-id', '--authentication-config', [FILE_OR_FLAGS]],
  ['--oidc-username-claim', '--authentication-config', [FILE_OR_FLAGS]],
  ['--oidc-groups-claim', '--authentication-config', [FILE_OR_FLAGS]],
  ['--oidc-required-claim', '--authentication-config', [FILE_OR_FLAGS]],
  ['--oidc-signing-algs', '--authentication-config', [FILE_OR_FLAGS]],
  ['--feature-gates=StructuredAuthorizationConfiguration=false', '--authorization-config', [NO_AUTHORIZATION_GATE]],
  ['--feature-gates=AllBeta=false', '--authorization-config', [NO_AUTHORIZATION_GATE]],
  ['--feature-gates=StructuredAuthenticationConfiguration=false', '--authentication-config', [NO_AUTHENTICATION_GATE]],
  ['--feature-gates=AllBeta=false', '--authentication-config', [NO_AUTHENTICATION_GATE]],
];

describeEveryPair('flags about access', FLAGS, PAIRS);

describe('combinations of more than two flags', () => {
  it.each([
    [['--oidc-issuer-url=https://issuer', '--oidc-client-id=me', '--authentication-config=file'], [FILE_OR_FLAGS]],
    // An empty value counts as an absent flag.
    [['--authorization-config=', '--authorization-mode=RBAC'], []],
    [['--authentication-config=', '--oidc-issuer-url=https://issuer', '--oidc-client-id=me'], []],
    [['--authentication-config=', '--oidc-client-id=me'], [HALF_OIDC]],
    [['--authorization-mode=ABAC,Webhook'], [NO_POLICY, NO_WEBHOOK]],
    [
      [
        '--authorization-mode=Webhook,RBAC',
        '--authorization-policy-file=file',
        '--authorization-webhook-config-file=file',
      ],
      [LONE_POLICY],
    ],
  ])('%j', (given, problems) => expect(problemsOf(...given)).toEqual([...problems].sort()));
});
