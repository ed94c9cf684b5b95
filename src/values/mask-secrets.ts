/** What replaces a secret in a text. */
const MASK = '<masked>';
/** Tokens of accounts and issuers, what a header would carry, tokens of bootstrapping: wherever they are. */
const CREDENTIAL =
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ \t]+[^\s"',;?&]+|\b[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** Of the name and password in a URL, the password. */
const IN_URL = /(:\/\/[^\s/:@"]{0,256}:)[^\s/@"]{1,1024}(?=@)/g;
const SECRET_NAME = /token|secret|passw|authorization|credential|api[-_]?key|signature/i;
/** `password=...` in a form or a query, and `"password": "..."` in JSON, which may be quoted itself. */
const GIVEN = /\b([\w-]{0,64}(?:token|secret|passw(?:or)?d|api[-_]?key)[\w-]{0,64}=)[^&\s"',;]+/gi;
const MEMBER =
  /(\\{0,3}"[\w-]{0,64}(?:token|secret|passw(?:or)?d|api[-_]?key|private[-_]?key)[\w-]{0,64}\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}")(?:[^"\\]|\\[^"])*/gi;

/**
 * A text in which nothing looks like a credential any more.
 * @param known values that are one, however they look; short ones are left alone
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of known) if (secret.length >= 8) masked = masked.replaceAll(secret, MASK);
  return masked
    .replace(PRIVATE_KEY, MASK)
    .replace(IN_URL, `$1${MASK}`)
    .replace(MEMBER, `$1${MASK}`)
    .replace(GIVEN, `$1${MASK}`)
    .replace(CREDENTIAL, MASK);
}

/** The same for a path with its query: what is given under a name that says so is masked, too. */
export function maskUri(path: string, query: string, known: readonly string[] = []): string {
  const way = path
    .split('/')
    .map((segment) => maskEncoded(segment, known))
    .join('/');
  if (query === '') return maskSecrets(way, known);
  const parameters = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return name !== parameter && SECRET_NAME.test(decoded(name)) ? `${name}=${MASK}` : maskEncoded(parameter, known);
  });
  return maskSecrets(`${way}?${parameters.join('&')}`, known);
}

/** A part of a URL; the whole of it is masked where escapes hide what may not be read. */
function maskEncoded(part: string, known: readonly string[]): string {
  if (!part.includes('%')) return part;
  const text = decoded(part);
  return maskSecrets(text, known) === text ? part : MASK;
}

/** Names may be written with escapes; a broken one cannot be read by anybody. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
