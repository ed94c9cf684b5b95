const encoder = new TextEncoder();

/**
 * Returns a compact signature without its middle part, HMAC with SHA-256: `header..signature` (spec 16.5). Equal arguments give equal
 * texts.
 */
export async function signDetached(payload: string, kid: string, secret: string): Promise<string> {
  const { CompactSign } = await import('jose');
  const signed = await new CompactSign(encoder.encode(payload))
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(encoder.encode(secret));
  const [header = '', , signature = ''] = signed.split('.');
  return `${header}..${signature}`;
}
