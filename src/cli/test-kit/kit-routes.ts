import { didYouMean } from '../../values/did-you-mean.js';

/** An answer of the test kit, as JSON. */
export interface KitAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Answers the requests below one name of the test kit; `rest` are the segments after the name.
 * @throws TypeError for a body that cannot be meant, which the test kit answers with 400.
 */
export type KitRoutes = (
  method: string,
  rest: readonly string[],
  body: unknown,
) => KitAnswer | undefined | Promise<KitAnswer | undefined>;

/** Returns an answer that says what is wrong. */
export const problem = (status: number, message: string): KitAnswer => ({ status, body: { message } });

/** Returns the members of a body. @throws TypeError for a body that is not an object or has other members than the known ones. */
export function members(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new TypeError('the body must be an object');
  for (const name of Object.keys(body))
    if (!known.includes(name)) throw new TypeError(`there is no member ${name}${didYouMean(name, known)}`);
  return body as Readonly<Record<string, unknown>>;
}
