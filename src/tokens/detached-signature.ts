const encoder = new TextEncoder();

/**
 * Returns a compact JWS without its payload, signed with HMAC-SHA-256: `header..signature` (spec 16.5). The same arguments give the same
 * result.
 */
export async function signDetached(payload: string, kid: string, secret: string): Promise<string> {
  const { CompactSign } = await import('jose');
  const signed = await new CompactSign(encoder.encode(payload))
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(encoder.encode(secret));
  const [header = '', , signature = ''] = signed.split('.');
  return `${header}..${signature}`;
}
