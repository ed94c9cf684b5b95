import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createCertificateAuthority, type KeyPair } from '../pki/certificate-authority.js';
import { readFileIfExists, writePrivateFile } from './files.js';
import type { FlagValues } from './flags.js';

const EVERYBODY_WRITES = 0o002;

/** Keys that a server would otherwise make anew at every start. */
export interface KeptKeys {
  readonly authority: KeyPair;
  /** PEM of the key that signs service account tokens. Without `--cert-dir` it is absent, and the server makes its own. */
  readonly accountKey?: string;
}

/**
 * Returns the authority and the key for service account tokens from `--cert-dir` (`ca.crt`, `ca.key`, `sa.key`). Missing files are created,
 * so that kubeconfigs and tokens stay valid after a restart. Without the flag, a new authority is made.
 * @throws Error when only one of `ca.crt` and `ca.key` exists, a file cannot be read or written, or everybody may write to the folder.
 */
export async function keptKeys({ dialect, 'cert-dir': folder }: FlagValues): Promise<KeptKeys> {
  const make = () => createCertificateAuthority({ commonName: `${dialect}-ca` });
  if (folder === undefined || folder === '') return { authority: await make() };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A user who may write to the folder could replace the authority. Windows has no such mode bits.
  if (process.platform !== 'win32' && ((await stat(folder)).mode & EVERYBODY_WRITES) !== 0)
    throw new Error(
      `--cert-dir ${folder}: everybody may write to this folder; name one that only its owner may write to`,
    );
  const [certificateFile, keyFile, accountFile] = ['ca.crt', 'ca.key', 'sa.key'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const [certificate, key] = [await readFileIfExists(certificateFile), await readFileIfExists(keyFile)];
  if ((certificate === undefined) !== (key === undefined))
    throw new Error(
      `${certificateFile} and ${keyFile} belong together: remove the one that is there, or put the other back`,
    );
  let authority: KeyPair;
  if (certificate !== undefined && key !== undefined) authority = { certificate, key };
  else {
    authority = await make();
    // The certificate is written last. If a start breaks off before, there is no certificate and the next start reports it.
    await writePrivateFile(keyFile, authority.key);
    await writePrivateFile(certificateFile, authority.certificate);
  }
  const accountKey = (await readFileIfExists(accountFile)) ?? (await newAccountKey(accountFile));
  return { authority, accountKey };
}

async function newAccountKey(file: string): Promise<string> {
  const { generateKey } = await import('../pki/private-key.js');
  const { systemSignatures } = await import('../signatures/system-signatures.js');
  const { pem } = await generateKey(systemSignatures);
  await writePrivateFile(file, pem);
  return pem;
}
