/** Returns whether a text shows a fault of the code, whatever its status is. */
export function isFault(text: string): boolean;
/** Returns whether a response with status 500 is intended: upstream also returns 500 for some client errors. */
export function isMeant500(message: string): boolean;
