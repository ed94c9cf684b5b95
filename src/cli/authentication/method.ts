import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { AuthenticationTrust } from '../../controllers/server-authorities.js';
import type { FollowedFile } from '../configuration/follow-file.js';
import type { FlagDefinition, ValuesOf } from '../flag-definition.js';

/** The values of a method's own flags, and of further flags that methods read. */
export interface MethodFlags<F extends readonly FlagDefinition[]> {
  readonly values: ValuesOf<F[number]> & {
    readonly dialect: string;
    readonly 'feature-gates': ReadonlyMap<string, string> | undefined;
    readonly 'service-account-issuer': readonly string[] | undefined;
    readonly 'authorization-config': string | undefined;
    readonly 'authorization-mode': readonly string[] | undefined;
  };
  /** The names of the flags on the command line. */
  readonly setFlags: ReadonlySet<string>;
}

/** The values that a method may need besides its flags. */
export interface MethodHost {
  /** The certificate authorities that issue client certificates, in PEM. */
  readonly authorities: readonly string[];
  /** Whether an earlier method configures anonymous requests. */
  readonly configuresAnonymous: boolean;
  log(message: string): void;
}

/** The authentication that a method's flags configure; empty when the flags do not enable the method. */
export interface ConfiguredMethod {
  readonly authentication?: readonly AuthenticatorFactory[];
  /**
   * Returns the trust information that the method adds to the ConfigMap `extension-apiserver-authentication`, which the server publishes.
   */
  readonly trust?: () => AuthenticationTrust;
  readonly configuresAnonymous?: boolean;
  /** Files that are read again when they change. */
  readonly followed?: readonly FollowedFile[];
}

/** An authentication method: its flags, and how they are read. */
export interface AuthenticationMethod<F extends readonly FlagDefinition[] = readonly FlagDefinition[]> {
  readonly flags: F;
  /** Reads the flags of the method. @throws Error for values or files that cannot be used. */
  read(flags: MethodFlags<F>, host: MethodHost): Promise<ConfiguredMethod>;
}

/** Defines a method and infers the names and types of its flags. */
export const defineMethod = <const F extends readonly FlagDefinition[]>(method: AuthenticationMethod<F>) => method;
