import { isJsonObject } from '../../json/value.js';
import { boolean, int64, type OutputOf, omitEmpty, string, struct, structSchema } from '../../schema/authoring.js';
import { ConfigurationError } from '../../schema/configuration/decode-configuration.js';
import { decodeTyped } from '../../schema/decode.js';
import { formatDuration } from '../../values/duration.js';
import { messageOf } from '../../values/message-of.js';
import type { ImagePolicyOptions } from './image-policy-webhook.js';

const whole = omitEmpty(int64());
const policy = struct('io.k8s.imagepolicy.Configuration', '', () => ({
  kubeConfigFile: omitEmpty(string()),
  allowTTL: whole,
  denyTTL: whole,
  retryBackoff: whole,
  defaultAllow: omitEmpty(boolean()),
}));
const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Bounds {
  /** The number of milliseconds in one unit of the configured value. */
  readonly scale: number;
  /** The bounds in milliseconds. */
  readonly least: number;
  readonly most: number;
}
const LIFETIME: Bounds = { scale: SECOND, least: SECOND, most: 30 * MINUTE };
const BACKOFF: Bounds = { scale: 1, least: 1e-6, most: 5 * MINUTE };

/**
 * Converts a configured value to milliseconds. The value -1 disables the feature and becomes 0; the value 0 means the default and becomes
 * undefined.
 * @throws ConfigurationError for a value outside the allowed range.
 */
function lengthOf(value: number, { scale, least, most }: Bounds): number | undefined {
  if (value === -1) return 0;
  const milliseconds = value * scale;
  if (value === 0 || (milliseconds >= least && milliseconds <= most)) return value === 0 ? undefined : milliseconds;
  const [from, to, got] = [least, most, milliseconds].map((length) => formatDuration(BigInt(Math.round(length * 1e6))));
  throw new ConfigurationError(`valid value is between ${from} and ${to}, got ${got}`);
}

/**
 * Reads all options of {@link imagePolicyWebhook} except the connection. Also reads the path of the kubeconfig file that describes the
 * connection.
 * @throws ConfigurationError for invalid values.
 */
export function imagePolicyConfiguration(
  value: unknown,
): Omit<ImagePolicyOptions, 'connection'> & { readonly kubeConfigFile: string } {
  const imagePolicy = isJsonObject(value) ? value['imagePolicy'] : undefined;
  try {
    const decoded = decodeTyped(structSchema(policy), isJsonObject(imagePolicy) ? imagePolicy : {}).value;
    // Decoding with the schema guarantees this type, so the cast is safe.
    const { kubeConfigFile = '', allowTTL = 0, denyTTL = 0, ...more } = decoded as OutputOf<typeof policy>;
    const retryBackoff = lengthOf(more.retryBackoff ?? 0, BACKOFF);
    const allowLifetime = lengthOf(allowTTL, LIFETIME);
    const denyLifetime = lengthOf(denyTTL, LIFETIME);
    return {
      kubeConfigFile,
      ...(retryBackoff === undefined ? {} : { retryBackoff }),
      ...(allowLifetime === undefined ? {} : { allowLifetime }),
      ...(denyLifetime === undefined ? {} : { denyLifetime }),
      defaultAllow: more.defaultAllow ?? false,
    };
  } catch (error) {
    throw new ConfigurationError(messageOf(error), { cause: error });
  }
}
