import type { AuthenticatorFactory } from '../../authentication/authenticator.js';
import type { AuthenticationTrust } from '../../controllers/server-authorities.js';
import type { FollowedFile } from '../configuration/follow-file.js';
import type { FlagDefinition, ValuesOf } from '../flag-definition.js';

/** What some flags say, and the flags of others that methods look at. */
export interface MethodFlags<F extends readonly FlagDefinition[]> {
  readonly values: ValuesOf<F[number]> & {
    readonly dialect: string;
    readonly 'feature-gates': ReadonlyMap<string, string> | undefined;
    readonly 'service-account-issuer': readonly string[] | undefined;
    readonly 'authorization-config': string | undefined;
    readonly 'authorization-mode': readonly string[] | undefined;
  };
  /** Those that were given. */
  readonly given: ReadonlySet<string>;
}

/** What a method may need beside flags. */
export interface MethodHost {
  /** Authorities of client certificates, PEM. */
  readonly authorities: readonly string[];
  /** A method that is asked before says who is anonymous. */
  readonly configuresAnonymous: boolean;
  log(message: string): void;
}

/** What flags say of one method: nothing where they do not ask for it. */
export interface ConfiguredMethod {
  readonly authentication?: readonly AuthenticatorFactory[];
  /** What the server publishes of it. */
  readonly trust?: () => AuthenticationTrust;
  readonly configuresAnonymous?: boolean;
  /** Files that may change while the server runs. */
  readonly followed?: readonly FollowedFile[];
}

/** A method to know callers by: its flags, and how they are read. */
export interface AuthenticationMethod<F extends readonly FlagDefinition[] = readonly FlagDefinition[]> {
  readonly flags: F;
  /** @throws Error for what cannot be used. */
  read(flags: MethodFlags<F>, host: MethodHost): Promise<ConfiguredMethod>;
}

/** Infers the names and types of its flags. */
export const defineMethod = <const F extends readonly FlagDefinition[]>(method: AuthenticationMethod<F>) => method;
