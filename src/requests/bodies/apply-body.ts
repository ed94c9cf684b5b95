import { jsonTypeName } from '../../json/type-name.js';
import { isJsonObject } from '../../json/value.js';
import { apiError } from '../../meta/api-error.js';
import type { AppliedDocument } from '../../registry/transforms/apply.js';
import type { ParsedJson } from '../../serialization/json/decode.js';
import { decodeYaml } from '../../serialization/yaml/decode.js';
import { unmarshalErrors } from '../../serialization/yaml/format.js';
import { deepFreeze } from '../../store/freeze.js';
import { decodeProblem } from './decode-problem.js';

/**
 * Reads the body of an apply.
 * @throws ApiError 400 for a body that is not YAML, or not an object (spec 6.11).
 */
export async function readApply(
  bytes: Uint8Array,
  level: 'Ignore' | 'Warn' | 'Strict',
  pause?: () => Promise<void>,
): Promise<AppliedDocument> {
  let read: ParsedJson;
  try {
    read = await decodeYaml(bytes, { duplicates: level !== 'Ignore', pause });
  } catch (error) {
    throw undecodable(`error converting YAML to JSON: ${decodeProblem(error)}`);
  }
  const { value, duplicates } = read;
  if (pause) {
    await pause();
    deepFreeze(value); // it is traversed many times
    await pause();
  }
  if (value !== null && !isJsonObject(value))
    throw undecodable(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`,
    );
  const repeats = level === 'Ignore' ? [] : duplicates;
  const refused = level === 'Strict' && repeats.length > 0;
  return {
    applied: value ?? {},
    warnings: refused ? [] : repeats,
    refusal: refused ? `error strict decoding YAML: error converting YAML to JSON: ${unmarshalErrors(repeats)}` : '',
  };
}

const undecodable = (problem: string) => apiError.badRequest(`error decoding YAML: ${problem}`);
