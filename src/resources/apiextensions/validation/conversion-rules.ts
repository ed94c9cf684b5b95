import { type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { dns1035Label } from '../../../meta/names.js';
import { decodeBase64 } from '../../../values/base64.js';
import { oneOf } from '../../shared/value-rules.js';
import { webhookServiceProblems, webhookUrlProblems } from '../../shared/webhook-client.js';
import type { CustomResourceConversion as CrdConversion } from '../apiextensions-v1.types.js';
import { caBundleProblem } from '../ca-bundle.js';

/** Versions of ConversionReview that the server supports. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export interface ConversionRules {
  /** The conversion of the stored definition. */
  readonly old: CrdConversion | undefined;
  /** Whether the definition is established. An unreadable CA bundle is then refused, unless the stored one is unreadable, too. */
  readonly established: boolean;
}

/** Returns the problems of the conversion between versions. */
export async function checkConversion(
  conversion: CrdConversion | undefined,
  path: string,
  { old, established }: ConversionRules,
): Promise<FieldError[]> {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const errors = oneOf(`${path}.strategy`, strategy, ['None', 'Webhook']);
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const clientPath = `${path}.webhookClientConfig`;
  const versionsPath = `${path}.conversionReviewVersions`;
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.push(fieldError.forbidden(clientPath, why));
    if (versions.length > 0) errors.push(fieldError.forbidden(versionsPath, why));
    return errors;
  }
  if (client === undefined) errors.push(fieldError.required(clientPath, 'required when strategy is set to Webhook'));
  else if ((client.url === undefined) === (client.service === undefined))
    errors.push(fieldError.required(clientPath, 'exactly one of url or service is required'));
  else if (client.url !== undefined) errors.push(...webhookUrlProblems(`${clientPath}.url`, client.url));
  else if (client.service) errors.push(...webhookServiceProblems(`${clientPath}.service`, client.service));
  const bundle =
    established && (await caBundleProblem(old)) === undefined ? await caBundleProblem(conversion) : undefined;
  if (bundle !== undefined)
    errors.push(fieldError.invalid(`${clientPath}.caBundle`, printed(printBytes(client?.caBundle ?? '')), bundle));
  return [...errors, ...checkReviewVersions(versions, old, versionsPath)];
}

const printBytes = (base64: string) =>
  `[]byte{${[...decodeBase64(base64)].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;

function checkReviewVersions(versions: readonly string[], old: CrdConversion | undefined, path: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) errors.push(fieldError.invalid(`${path}[${i}]`, version, 'duplicate version'));
    else for (const why of dns1035Label(version)) errors.push(fieldError.invalid(`${path}[${i}]`, version, why));
    seen.add(version);
  }
  const before = old?.webhook?.conversionReviewVersions ?? [];
  const mayBeUnknown = before.length > 0 && !isKnown(before);
  if (!mayBeUnknown && !isKnown(versions))
    errors.push(fieldError.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  return errors;
}
const isKnown = (versions: readonly string[]): boolean => versions.some((version) => REVIEW_VERSIONS.includes(version));
