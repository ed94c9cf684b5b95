import { type Authorizer, type Consideration, NO_RULES } from '../../authorization/authorizer.js';

const NOTHING: Consideration = Object.freeze({ lookedAt: [], nearest: [] });

/**
 * Wraps an authorizer so that it is asked only after the objects that it reads have been made.
 * @param making returns undefined if nothing is left to make.
 */
export function onceMade(authorizer: Authorizer, making: () => Promise<unknown> | undefined): Authorizer {
  const { name, includes } = authorizer;
  const after = <T>(ask: () => T | Promise<T>): T | Promise<T> => {
    const made = making();
    return made ? made.then(ask) : ask();
  };
  return {
    name,
    ...(includes ? { includes } : {}),
    authorize: (attributes) => after(() => authorizer.authorize(attributes)),
    ...(authorizer.rulesFor
      ? { rulesFor: (user, namespace) => after(() => authorizer.rulesFor?.(user, namespace) ?? NO_RULES) }
      : {}),
    ...(authorizer.explain ? { explain: (attributes) => authorizer.explain?.(attributes) ?? NOTHING } : {}),
  };
}
