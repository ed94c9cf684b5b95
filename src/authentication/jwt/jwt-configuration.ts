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
  audienceMatchPolicy: omitEmpty(string()),
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

/** All members of an AuthenticationConfiguration but apiVersion and kind; the same in all its versions (spec 11.18). */
export const authenticationConfigurationSchema = structSchema(configuration);
export type DecodedAuthenticationConfiguration = OutputOf<typeof configuration>;
/** One issuer and what is made of its tokens. */
export type DecodedJwt = OutputOf<typeof jwt>;
export type Anonymous = NonNullable<DecodedAuthenticationConfiguration['anonymous']>;

/** A claim that is taken over behind a prefix, or an expression over `claims`; not both. */
export interface PrefixedClaim {
  readonly claim?: string;
  /** Needed with a claim; '' for none. */
  readonly prefix?: string;
  readonly expression?: string;
}

/** One issuer and what is made of its tokens, as the configuration file has it (spec 11.14, 11.15). */
export interface JwtConfiguration {
  readonly issuer: {
    /** What the claim `iss` must be; https. */
    readonly url: string;
    /** Where the discovery document is. Default: below the URL. */
    readonly discoveryURL?: string;
    /** PEM. Default: the system's authorities. */
    readonly certificateAuthority?: string;
    readonly audiences: readonly string[];
    readonly audienceMatchPolicy?: 'MatchAny' | '';
  };
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    /** Over `claims`; must be true. */
    readonly expression?: string;
    /** Of the error where the expression is false. */
    readonly message?: string;
  }[];
  readonly claimMappings: {
    readonly username: PrefixedClaim;
    readonly groups?: PrefixedClaim;
    readonly uid?: { readonly claim?: string; readonly expression?: string };
    readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  /** Over `user`; must be true. */
  readonly userValidationRules?: readonly { readonly expression: string; readonly message?: string }[];
}

/** What `--authentication-config` holds. */
export interface AuthenticationConfiguration {
  readonly apiVersion?: string;
  readonly kind?: 'AuthenticationConfiguration';
  readonly jwt?: readonly JwtConfiguration[];
  readonly anonymous?: {
    readonly enabled: boolean;
    /** Only these paths, exactly. Default all. */
    readonly conditions?: readonly { readonly path: string }[];
  };
}
