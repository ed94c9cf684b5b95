import { DecodeError } from '../../json/decode-error.js';
import { FileError, readTextFile } from '../files.js';

/** The content of a configuration file. */
export interface ConfigurationText {
  readonly text: string;
  /** The parsed value; null for an empty file. */
  readonly value: unknown;
  /** Errors about duplicate keys, in the words of upstream's strict decoding. */
  readonly problems: readonly string[];
}

/**
 * Reads a configuration file, YAML or JSON.
 * @throws FileError for a file that cannot be read, or is neither YAML nor JSON.
 */
export async function readConfiguration(file: string): Promise<ConfigurationText> {
  const text = await readTextFile(file);
  return await parseConfiguration(text).catch((error: Error) => {
    throw new FileError(error.message, file, error);
  });
}

/** Parses a configuration. @throws Error for a string that is neither YAML nor JSON. */
export async function parseConfiguration(text: string): Promise<ConfigurationText> {
  const { decodeYaml } = await import('../../serialization/yaml/decode.js');
  const { unmarshalErrors } = await import('../../serialization/yaml/format.js');
  try {
    const { value, duplicates } = await decodeYaml(new TextEncoder().encode(text), { duplicates: true });
    return { text, value, problems: duplicates.length === 0 ? [] : [unmarshalErrors(duplicates)] };
  } catch (error) {
    if (error instanceof DecodeError) throw new Error(error.message, { cause: error });
    throw error;
  }
}
