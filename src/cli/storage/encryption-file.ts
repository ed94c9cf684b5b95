import type { RuledEncryption } from '../../encryption/encryption-configuration.js';
import type { Dialect } from '../../meta/dialect.js';
import type { Encryption } from '../../store/transformer.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import type { FollowedFile } from '../configuration/follow-file.js';
import { type ConfigurationText, parseConfiguration } from '../configuration/read-configuration.js';
import { readTextFile } from '../files.js';
import type { Flags, FlagValues } from '../flags.js';
import { selectedDialect } from '../selected-dialect.js';

/**
 * Returns the errors in the flags about encryption. The message about automatic reloads is upstream's; the message about a missing storage
 * flag is specific to this server.
 */
export function checkEncryptionFlags({ values, setFlags }: Flags): readonly string[] {
  const { 'encryption-provider-config': file, 'encryption-provider-config-automatic-reload': reloads } = values;
  if (!file)
    return reloads
      ? ['--encryption-provider-config-automatic-reload must be set with --encryption-provider-config']
      : [];
  return setFlags.has('data-dir') || setFlags.has('etcd-servers')
    ? []
    : ['--encryption-provider-config is about what --data-dir or --etcd-servers keep: give one of them'];
}

/** The encryption that the flags configure. `followed` contains the configuration file if the flags request automatic reloads. */
export interface EncryptionOptions {
  readonly encryption?: Encryption;
  readonly followed: readonly FollowedFile[];
}

/** Reads `--encryption-provider-config`. @throws Error in upstream's words for a file that cannot be used */
export async function encryptionOptions(
  values: FlagValues,
  log: (message: string) => void,
): Promise<EncryptionOptions> {
  const path = values['encryption-provider-config'];
  if (!path) return { followed: [] };
  const { text, encryption } = await readEncryptionFile(path, selectedDialect(values).name);
  if (!values['encryption-provider-config-automatic-reload']) return { encryption, followed: [] };
  const take = async (next: string) => {
    const { value, problems } = await parseFile(next, path);
    await encryption.replace(value, problems);
  };
  return { encryption, followed: [{ configures: 'encryption', path, text, take, log }] };
}

/** Reads a file with an EncryptionConfiguration. @throws Error in upstream's words */
export async function readEncryptionFile(
  path: string,
  dialect: Dialect['name'],
): Promise<{ readonly text: string; readonly encryption: RuledEncryption }> {
  const text = await readTextFile(path).catch((error: unknown) => {
    throw notLoaded(`error reading encryption provider configuration file ${quote(path)}: ${messageOf(error)}`, error);
  });
  const { value, problems } = await parseFile(text, path);
  const { RuledEncryption } = await import('../../encryption/encryption-configuration.js');
  return { text, encryption: await RuledEncryption.read(value, { dialect, typed: true, file: path, problems }) };
}

async function parseFile(text: string, path: string): Promise<ConfigurationText> {
  if (text === '') throw notLoaded(`encryption provider configuration file ${quote(path)} is empty`);
  try {
    return await parseConfiguration(text);
  } catch (error) {
    const why = `error decoding encryption provider configuration file ${quote(path)}: ${messageOf(error)}`;
    throw new Error(`error while parsing file: ${why}`, { cause: error });
  }
}

function notLoaded(why: string, cause?: unknown): Error {
  return new Error(`error while parsing file: error while loading file: ${why}`, { cause });
}
