/** Whether a text is one of a fault in the code, whatever status it comes with. */
export function isFault(text: string): boolean;
/** Whether an answer with status 500 is meant: what only the client did wrong, as the real server answers it. */
export function isMeant500(message: string): boolean;
