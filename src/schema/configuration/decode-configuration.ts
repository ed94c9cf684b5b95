import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { parseGroupVersion } from '../../meta/group-version.js';
import { readTypeMeta } from '../../meta/type-meta.js';
import { quote } from '../../values/quote.js';
import { decodeTyped } from '../decode.js';
import type { ObjectSchema } from '../schema.js';

/** A configuration that cannot be used. The message is upstream's if upstream has one for the error. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export interface ConfigurationKind {
  readonly kind: string;
  /** The accepted versions of the kind in the group `apiserver.config.<suffix>`. */
  readonly versions?: readonly string[];
  /**
   * The accepted groups, versions and kinds; given instead of `versions`. A group is written without the suffix of the API dialect:
   * `apiserver.config`.
   */
  readonly known?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  /** Whether unknown fields are dropped instead of refused, as upstream does for some kinds. Default: false. */
  readonly lenient?: boolean;
  /** The schema of all members but `apiVersion` and `kind`. */
  readonly schema: ObjectSchema;
}

export interface DecodeConfigurationOptions {
  /** The suffix of the configuration's group: `apiserver.config.<suffix>`. */
  readonly groupSuffix: string;
  /** Whether `apiVersion` and `kind` may be absent. Default: false. */
  readonly untyped?: boolean;
  /** The duplicate keys that were found while the configuration file was parsed, as error messages. */
  readonly problems?: readonly string[];
  /** Receives the errors of strict decoding as warnings. Default: strict errors are thrown. */
  readonly warn?: (problem: string) => void;
}

const MISSING_KIND = "Object 'Kind' is missing";
const OWN_GROUP = 'apiserver.config';
/**
 * The kinds of the group {@link OWN_GROUP} that the server knows. If a file has the other one of these kinds, the error message names the
 * expected kind.
 */
const KINDS = ['AuthenticationConfiguration', 'AuthorizationConfiguration'];

/**
 * Decodes a configuration object strictly: an unknown field is an error (spec 11.18, 12.13).
 * @throws ConfigurationError
 */
export function decodeConfiguration(
  value: unknown,
  definition: ConfigurationKind,
  { groupSuffix, untyped = false, problems = [], warn }: DecodeConfigurationOptions,
): unknown {
  const { kind, schema, lenient = false } = definition;
  if (!isJsonObject(value)) throw new ConfigurationError(notAnObject(value, kind, untyped));
  const { apiVersion, kind: documentKind, ...own } = value;
  try {
    if (!untyped || apiVersion !== undefined || documentKind !== undefined) checkType(value, definition, groupSuffix);
    const { value: decoded, unknownFields } = decodeTyped(schema, own, { copyRaw: true });
    const found = [...problems, ...unknownFields.map((path) => `unknown field ${quote(path)}`)];
    if (found.length > 0 && !lenient) {
      const problem = `strict decoding error: ${found.join(', ')}`;
      if (!warn) throw new ConfigurationError(problem);
      warn(problem);
    }
    return decoded;
  } catch (error) {
    if (error instanceof DecodeError)
      throw new ConfigurationError(inVersion(error.message, apiVersion), { cause: error });
    throw error;
  }
}

/** Returns the message about a value that is not an object, which in a file is upstream's about a type that is not found. */
function notAnObject(value: unknown, kind: string, untyped: boolean): string {
  if (!untyped)
    try {
      readTypeMeta(value as JsonValue);
      return MISSING_KIND;
    } catch (error) {
      if (error instanceof DecodeError) return error.message;
      throw error;
    }
  return `expected ${kind}, got a value that is not an object`;
}

/** Replaces the version of Go types in a message: `configurationPart` calls it v1beta1, and messages name that of the document. */
function inVersion(message: string, apiVersion: unknown): string {
  const version = typeof apiVersion === 'string' ? apiVersion.split('/')[1] : undefined;
  return version ? message.replaceAll('v1beta1.', `${version}.`) : message;
}

function checkType(document: JsonObject, { kind, versions = [], known }: ConfigurationKind, groupSuffix: string): void {
  const { apiVersion, kind: documentKind } = readTypeMeta(document);
  if (documentKind === '') throw new ConfigurationError(MISSING_KIND);
  if (!parseGroupVersion(apiVersion)?.version) throw new ConfigurationError("Object 'apiVersion' is missing");
  const own = versions.flatMap((version) => KINDS.map((each) => ({ group: OWN_GROUP, version, kind: each })));
  const isKnown = (known ?? own).some(
    (each) => apiVersion === `${each.group}.${groupSuffix}/${each.version}` && each.kind === documentKind,
  );
  if (!isKnown)
    throw new ConfigurationError(`no kind ${quote(documentKind)} is registered for version ${quote(apiVersion)}`);
  if (!known && documentKind !== kind) throw new ConfigurationError(`expected ${kind}, got *apiserver.${documentKind}`);
}
