import { messageOf } from '../values/message-of.js';
import { parseCertificate } from './parse-certificate.js';
import { decodePem } from './pem.js';

/** Returns why a PEM text contains no certificate authority, with the message of Go clients; undefined when it contains one. */
export async function authoritiesProblem(pem: string): Promise<string | undefined> {
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
