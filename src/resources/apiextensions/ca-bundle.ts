import { authoritiesProblem } from '../../pki/authorities-problem.js';
import { decodeBase64Text } from '../../values/base64.js';
import type { CustomResourceConversion as CrdConversion } from './apiextensions-v1.types.js';

/** Returns why the CA bundle of a conversion webhook is invalid; undefined when it is absent or contains a readable certificate. */
export async function caBundleProblem(conversion: CrdConversion | undefined): Promise<string | undefined> {
  const { caBundle = '' } = conversion?.webhook?.clientConfig ?? {};
  return caBundle === '' ? undefined : await authoritiesProblem(decodeBase64Text(caBundle));
}
