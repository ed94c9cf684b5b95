import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject } from '../../json/value.js';
import { quote } from '../../values/quote.js';
import { decodeTyped } from '../decode.js';
import type { ObjectSchema } from '../schema.js';

/** A configuration that cannot be used; the message says why, in the reference's words where it has some. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export interface ConfigurationKind {
  readonly kind: string;
  readonly versions: readonly string[];
  /** Default `apiserver.config.<suffix>`. */
  readonly group?: string;
  /** Kinds of the group that exist. Default those of the default group. */
  readonly kinds?: readonly string[];
  /** All members but `apiVersion` and `kind`. */
  readonly schema: ObjectSchema;
}

export interface DecodeConfigurationOptions {
  /** Ends the name of the group: `apiserver.config.<suffix>`. */
  readonly groupSuffix: string;
  /** Whether `apiVersion` and `kind` may be absent. Default false. */
  readonly untyped?: boolean;
  /** What reading the text found besides: keys given twice. */
  readonly problems?: readonly string[];
  /** Receives what strict decoding would refuse. Default: it is refused. */
  readonly lenient?: (problem: string) => void;
}

/** Kinds of the group that exist, in the versions of this release. */
const KINDS = ['AuthenticationConfiguration', 'AuthorizationConfiguration'];

/**
 * Reads a configuration object strictly: what the schema does not know is a mistake (spec 11.18, 12.13).
 * @throws ConfigurationError
 */
export function decodeConfiguration(
  value: unknown,
  { kind, versions, schema, kinds = KINDS, ...more }: ConfigurationKind,
  { groupSuffix, untyped = false, problems = [], lenient }: DecodeConfigurationOptions,
): unknown {
  if (!isJsonObject(value)) throw new ConfigurationError(`expected ${kind}, got a value that is not an object`);
  const { apiVersion, kind: given, ...own } = value;
  if (!untyped || apiVersion !== undefined || given !== undefined)
    checkType(apiVersion, given, { kind, versions, kinds, group: more.group ?? `apiserver.config.${groupSuffix}` });
  try {
    const { value: decoded, unknownFields } = decodeTyped(schema, own, { copyRaw: true });
    const found = [...problems, ...unknownFields.map((path) => `unknown field ${quote(path)}`)];
    if (found.length > 0) {
      const problem = `strict decoding error: ${found.join(', ')}`;
      if (!lenient) throw new ConfigurationError(problem);
      lenient(problem);
    }
    return decoded;
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(error.message, { cause: error });
    throw error;
  }
}

function checkType(apiVersion: unknown, given: unknown, wanted: Required<Omit<ConfigurationKind, 'schema'>>): void {
  const { kind, versions, kinds, group } = wanted;
  if (typeof given !== 'string' || given === '') throw new ConfigurationError("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new ConfigurationError("Object 'apiVersion' is missing");
  const known = versions.some((version) => apiVersion === `${group}/${version}`) && kinds.includes(given);
  if (!known) throw new ConfigurationError(`no kind ${quote(given)} is registered for version ${quote(apiVersion)}`);
  if (given !== kind) throw new ConfigurationError(`expected ${kind}, got *apiserver.${given}`);
}
