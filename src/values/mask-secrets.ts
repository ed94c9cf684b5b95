/** What stands in a text for what nobody may read. */
const MASK = '<masked>';
/** Tokens of accounts and issuers, what a header would carry, tokens of bootstrapping: wherever they are. */
const CREDENTIAL =
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|\b(?:Bearer|Basic) [^\s"',;]+|\b[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g;
const SECRET_NAME = /token|secret|passw|authorization|credential|api[-_]?key|signature/i;

/**
 * A text in which nothing looks like a credential any more.
 * @param known values that are one, however they look; short ones are left alone
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of known) if (secret.length >= 8) masked = masked.replaceAll(secret, MASK);
  return masked.replace(CREDENTIAL, MASK);
}

/** The same for a path with its query: what is given under a name that says so is masked, too. */
export function maskUri(path: string, query: string, known: readonly string[] = []): string {
  if (query === '') return maskSecrets(path, known);
  const parameters = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return name !== parameter && SECRET_NAME.test(decoded(name)) ? `${name}=${MASK}` : parameter;
  });
  return maskSecrets(`${path}?${parameters.join('&')}`, known);
}

/** Names may be written with escapes; a broken one cannot be read by anybody. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
