import { parseCertificate } from '../../pki/parse-certificate.js';
import { decodePem } from '../../pki/pem.js';
import { decodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';
import type { CustomResourceConversion as CrdConversion } from './apiextensions-v1.types.js';

/** Returns why the CA bundle of a conversion webhook is invalid; undefined when it is absent or contains a readable certificate. */
export async function caBundleProblem(conversion: CrdConversion | undefined): Promise<string | undefined> {
  const { caBundle = '' } = conversion?.webhook?.clientConfig ?? {};
  return caBundle === '' ? undefined : await problemOf(decodeBase64Text(caBundle));
}

async function problemOf(pem: string): Promise<string | undefined> {
  const blocks = decodePem(pem);
  let why = blocks.length === 0 ? 'unable to parse bytes as PEM block' : 'no valid certificate authority data seen';
  for (const { label, headers, bytes } of blocks) {
    if (label !== 'CERTIFICATE' || headers.size > 0) continue;
    try {
      await parseCertificate(bytes);
      return undefined;
    } catch (error) {
      why = `failed to parse certificate: ${messageOf(error)}`;
    }
  }
  return `unable to load root certificates: ${why}`;
}
