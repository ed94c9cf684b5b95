import { createPrivateKey, X509Certificate } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../meta/clock.js';
import { createCertificateAuthority, type KeyPair } from '../pki/certificate-authority.js';
import { createPrivateFile, readFileIfExists } from './files.js';
import type { FlagValues } from './flags.js';
import { dataFolder, openPrivateFolder } from './storage/data-folder.js';

/** Keys that a server would otherwise generate again at every start. */
export interface KeptKeys {
  /** The certificate authority; absent if the server has no authority of its own. */
  readonly authority?: KeyPair;
  /**
   * The private key (PEM) that signs service account tokens. It is absent if there is no folder for keys; the server then generates a key
   * itself.
   */
  readonly accountKey?: string;
}

/**
 * Returns the certificate authority and the key for service account tokens from `--cert-dir`, or else from the folder `pki` in `--data-dir`
 * (`ca.crt`, `ca.key`, `sa.key`). Missing files are created, so that kubeconfigs and tokens stay valid after a restart. If neither flag is
 * given, a new authority is created, and no key for service account tokens is returned.
 * @param hasAuthority whether the server has an authority of its own
 * @param log receives a message if the certificate authority is not valid at this time
 * @throws Error when only one of `ca.crt` and `ca.key` exists, a file cannot be read or written or contains no key, or everybody may write to
 * the folder.
 */
export async function keptKeys(
  values: FlagValues,
  hasAuthority = true,
  log: (message: string) => void = () => {},
): Promise<KeptKeys> {
  const { dialect, 'cert-dir': certificates, 'data-dir': data } = values;
  const make = () => createCertificateAuthority({ commonName: `${dialect}-ca` });
  const [flag, folder] =
    certificates || !data ? ['cert-dir', certificates] : (['data-dir', dataFolder(data).keys] as const);
  if (folder === undefined || folder === '') return hasAuthority ? { authority: await make() } : {};
  await openPrivateFolder(flag, folder);
  const accountFile = join(folder, 'sa.key');
  return {
    ...(hasAuthority ? { authority: await keptAuthority(folder, make, log) } : {}),
    accountKey: (await keptAccountKey(accountFile)) ?? (await newAccountKey(accountFile)),
  };
}

async function keptAccountKey(file: string): Promise<string | undefined> {
  const key = await readFileIfExists(file);
  if (key === undefined || succeeds(() => createPrivateKey(key))) return key;
  throw new Error(`${file} contains no private key: restore it, or remove it to create another one`);
}

/** Returns whether a check is true or an object, instead of false or an error. */
function succeeds(check: () => unknown): boolean {
  try {
    return Boolean(check());
  } catch {
    return false;
  }
}

/** Returns what is wrong with the validity of a certificate; undefined if it is valid. */
function validityProblem({ validFrom, validTo }: X509Certificate): string | undefined {
  const now = systemClock.now();
  if (Date.parse(validFrom) <= now && now <= Date.parse(validTo)) return undefined;
  return `is valid from ${validFrom} to ${validTo}, so clients refuse what it signs: correct the clock, or remove ca.crt and ca.key to create others`;
}

async function keptAuthority(
  folder: string,
  make: () => Promise<KeyPair>,
  log: (message: string) => void,
): Promise<KeyPair> {
  const [certificateFile, keyFile, newFile] = [
    join(folder, 'ca.crt'),
    join(folder, 'ca.key'),
    join(folder, 'ca.new'),
  ] as const;
  const readPair = async () => [await readFileIfExists(certificateFile), await readFileIfExists(keyFile)] as const;
  // Two files cannot be written atomically. Their contents are therefore written to a third file first, from which the two are created:
  // by the next start after a crash, and by each of several programs that start at the same time.
  for (;;) {
    const [certificate, key] = await readPair();
    if (certificate !== undefined && key !== undefined) {
      if (!succeeds(() => new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))))
        throw new Error(
          `${certificateFile} and ${keyFile} are not a certificate and its private key: restore them, or remove both to create others`,
        );
      const problem = validityProblem(new X509Certificate(certificate));
      if (problem) log(`${certificateFile} ${problem}`);
      await rm(newFile, { force: true });
      return { certificate, key };
    }
    const unfinished = await readFileIfExists(newFile);
    if (unfinished !== undefined) {
      if (!succeeds(() => JSON.parse(unfinished))) throw new Error(`${newFile} is damaged: remove it`);
      const authority = JSON.parse(unfinished) as KeyPair;
      await createPrivateFile(keyFile, authority.key);
      await createPrivateFile(certificateFile, authority.certificate);
    } else if (certificate === undefined && key === undefined) {
      await createPrivateFile(newFile, JSON.stringify(await make()));
    } else if ((await readPair()).includes(undefined))
      throw new Error(
        `${certificateFile} and ${keyFile} must both exist or both be absent: remove the existing one, or restore the other`,
      );
  }
}

async function newAccountKey(file: string): Promise<string> {
  const { generateKey } = await import('../pki/private-key.js');
  const { systemSignatures } = await import('../signatures/system-signatures.js');
  const { pem } = await generateKey(systemSignatures);
  return await createPrivateFile(file, pem);
}
