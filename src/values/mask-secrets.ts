const MASK = '<masked>';
/** Matches JSON Web Tokens, values of Authorization headers and bootstrap tokens, anywhere in a string. */
const CREDENTIAL =
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ \t]+[^\s"',;?&]+|\b[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** Matches the password in the user information of a URL. */
const IN_URL = /(:\/\/[^\s/:@"]{0,256}:)[^\s/@"]{1,1024}(?=@)/g;
const SECRET_NAME = /token|secret|passw|authorization|credential|api[-_]?key|signature/i;
/** `IN_FORM` matches `password=...` in a form or a query. `IN_JSON` matches `"password": "..."` in JSON; the quotes may be escaped. */
const IN_FORM = /\b([\w-]{0,64}(?:token|secret|passw(?:or)?d|api[-_]?key)[\w-]{0,64}=)[^&\s"',;]+/gi;
const IN_JSON =
  /(\\{0,3}"[\w-]{0,64}(?:token|secret|passw(?:or)?d|api[-_]?key|private[-_]?key)[\w-]{0,64}\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}")(?:[^"\\]|\\[^"])*/gi;

/**
 * Returns a string in which everything that looks like a credential is masked.
 * @param known values that are credentials even if they do not look like one; those shorter than eight characters are not masked
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of known) if (secret.length >= 8) masked = masked.replaceAll(secret, MASK);
  return masked
    .replace(PRIVATE_KEY, MASK)
    .replace(IN_URL, `$1${MASK}`)
    .replace(IN_JSON, `$1${MASK}`)
    .replace(IN_FORM, `$1${MASK}`)
    .replace(CREDENTIAL, MASK);
}

/** Returns a path and query with credentials masked, including the values of parameters whose name suggests a secret. */
export function maskUri(path: string, query: string, known: readonly string[] = []): string {
  const way = path
    .split('/')
    .map((segment) => maskEncoded(segment, known))
    .join('/');
  if (query === '') return maskSecrets(way, known);
  const parameters = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return name !== parameter && SECRET_NAME.test(decodeUri(name)) ? `${name}=${MASK}` : maskEncoded(parameter, known);
  });
  return maskSecrets(`${way}?${parameters.join('&')}`, known);
}

/**
 * Returns a part of a URL as it is, or the mask if the part contains a credential that percent-encoding hides. The caller masks the
 * credentials that are not encoded.
 */
function maskEncoded(part: string, known: readonly string[]): string {
  if (!part.includes('%')) return part;
  const text = decodeUri(part);
  return maskSecrets(text, known) === text ? part : MASK;
}

/** Decodes percent-encoding. If it is malformed, each escape is decoded alone, which is enough because credentials are ASCII. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  }
}
