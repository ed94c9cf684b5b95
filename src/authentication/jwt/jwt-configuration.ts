import {
  always,
  boolean,
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  string,
  structSchema,
} from '../../schema/authoring.js';
import { configurationPart as part } from '../../schema/configuration/configuration-part.js';

const prefixed = part('PrefixedClaimOrExpression', () => ({
  claim: omitEmpty(string()),
  prefix: omitNull(string()),
  expression: omitEmpty(string()),
}));
const plain = part('ClaimOrExpression', () => ({ claim: omitEmpty(string()), expression: omitEmpty(string()) }));
const extra = part('ExtraMapping', () => ({ key: always(string()), valueExpression: always(string()) }));
const mappings = part('ClaimMappings', () => ({
  username: always(prefixed),
  groups: always(prefixed),
  uid: always(plain),
  extra: omitEmpty(list(extra)),
}));
const claimRule = part('ClaimValidationRule', () => ({
  claim: omitEmpty(string()),
  requiredValue: omitEmpty(string()),
  expression: omitEmpty(string()),
  message: omitEmpty(string()),
}));
const userRule = part('UserValidationRule', () => ({ expression: always(string()), message: omitEmpty(string()) }));
const issuer = part('Issuer', () => ({
  url: always(string()),
  discoveryURL: omitEmpty(string()),
  certificateAuthority: omitEmpty(string()),
  audiences: omitEmpty(list(string())),
  audienceMatchPolicy: omitEmpty(string({ typeName: 'v1beta1.AudienceMatchPolicyType' })),
}));
const jwt = part('JWTAuthenticator', () => ({
  issuer: always(issuer),
  claimValidationRules: omitEmpty(list(claimRule)),
  claimMappings: always(mappings),
  userValidationRules: omitEmpty(list(userRule)),
}));
const condition = part('AnonymousAuthCondition', () => ({ path: always(string()) }));
const anonymous = part('AnonymousAuthConfig', () => ({
  enabled: always(boolean()),
  conditions: omitEmpty(list(condition)),
}));
const configuration = part('AuthenticationConfiguration', () => ({
  jwt: omitEmpty(list(jwt)),
  anonymous: omitNull(anonymous),
}));

/** The schema of an AuthenticationConfiguration without apiVersion and kind. It is the same in all versions (spec 11.18). */
export const authenticationConfigurationSchema = structSchema(configuration);
export type DecodedAuthenticationConfiguration = OutputOf<typeof configuration>;
/** One issuer and the mapping of its tokens to users. */
export type DecodedJwt = OutputOf<typeof jwt>;
export type Anonymous = NonNullable<DecodedAuthenticationConfiguration['anonymous']>;

/** Either a claim whose value is used after a prefix, or an expression over `claims`. */
export interface PrefixedClaim {
  /** The name of the claim. Exactly one of `claim` and `expression` is given. */
  readonly claim?: string;
  /** The prefix that is put before the claim's value; '' for no prefix. Required with `claim`. */
  readonly prefix?: string;
  readonly expression?: string;
}

/** One issuer and the mapping of its tokens to users, as written in the configuration file (spec 11.14, 11.15). */
export interface JwtConfiguration {
  /** The issuer of the tokens. */
  readonly issuer: {
    /** The required value of the claim `iss`. Its scheme must be https. */
    readonly url: string;
    /** The URL of the discovery document. Default: `/.well-known/openid-configuration` below `url`. */
    readonly discoveryURL?: string;
    /** The CA bundle for connections to the issuer as PEM. Default: the system's CA certificates. */
    readonly certificateAuthority?: string;
    /** The accepted audiences: the claim `aud` must contain at least one of them. */
    readonly audiences: readonly string[];
    /** How audiences are compared. With several `audiences`, it must be `MatchAny`. */
    readonly audienceMatchPolicy?: 'MatchAny' | '';
  };
  /** Rules about claims that a token must satisfy. Default: none. */
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    /** An expression over `claims` that must be true. */
    readonly expression?: string;
    /** The error message when the expression is false. */
    readonly message?: string;
  }[];
  /** How the claims of a token become the user. */
  readonly claimMappings: {
    /** The name of the user. */
    readonly username: PrefixedClaim;
    /** The groups of the user. Default: none. */
    readonly groups?: PrefixedClaim;
    /** The uid of the user. Default: none. */
    readonly uid?: { readonly claim?: string; readonly expression?: string };
    /** Extra values of the user, by expressions. Default: none. */
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  /** Expressions over `user` that must be true. Default: none. */
  readonly userValidationRules?: readonly { readonly expression: string; readonly message?: string }[];
}

/** The content of the file that `--authentication-config` names. */
export interface AuthenticationConfiguration {
  /** The API version of the configuration. It may be absent in the library; a file must have it. */
  readonly apiVersion?: string;
  /** The kind of the configuration. It may be absent in the library; a file must have it. */
  readonly kind?: 'AuthenticationConfiguration';
  /** The issuers whose tokens are accepted. Default: none. */
  readonly jwt?: readonly JwtConfiguration[];
  /** Whether requests without credentials are accepted. */
  readonly anonymous?: {
    /** Whether anonymous requests are accepted. */
    readonly enabled: boolean;
    /** URL paths for which anonymous requests are allowed, compared exactly. Default: all paths. */
    readonly conditions?: readonly { readonly path: string }[];
  };
}
