import { AUTHORIZATION_MODES, authorizationModes } from './authorization-modes.js';
import { FileError } from './files.js';
import type { FlagValues } from './flags.js';
import { UsageError } from './parse-flags.js';

/**
 * Returns a sentence that says what an operator can do about an error, or undefined. The messages of errors are upstream's, and do not name
 * the flag that is meant.
 * @param values the values of the flags; undefined if the command line could not be parsed.
 */
export function adviceFor(error: unknown, values: FlagValues | undefined): string | undefined {
  if (error instanceof UsageError) return 'orch-apiserver --help lists the flags.';
  // Only the error of the file itself needs advice. An error that wraps it already says in its message what the file is for.
  if (error instanceof FileError && values) return adviceForFile(error.file, values);
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (String((cause as NodeJS.ErrnoException).code).startsWith('ERR_OSSL') && values?.['tls-cert-file'])
      return `Check ${values['tls-cert-file']} (--tls-cert-file) and ${values['tls-private-key-file']} (--tls-private-key-file).`;
  }
  if (values && authorizationModes(values)?.some((mode) => !AUTHORIZATION_MODES.includes(mode)))
    return `The modes are ${AUTHORIZATION_MODES.join(', ')}.`;
  return undefined;
}

/** Names the flags whose value is the file, or a list that contains it. */
function adviceForFile(file: string, values: FlagValues): string | undefined {
  const names = Object.entries(values).flatMap(([name, value]) => {
    const files = Array.isArray(value) ? value : [value];
    return files.includes(file) ? [`--${name}`] : [];
  });
  return names.length === 0 ? undefined : `${file} is the value of ${names.join(' and ')}.`;
}

/** Explains why the program cannot listen at an address. Other errors are returned unchanged. */
export function explainListenError(error: unknown, values: FlagValues): unknown {
  const { 'secure-port': port, 'bind-address': address } = values;
  const text = LISTEN_ERRORS[String((error as NodeJS.ErrnoException | undefined)?.code)]?.(port, address);
  return text === undefined ? error : new Error(text, { cause: error });
}

const LISTEN_ERRORS: Readonly<Record<string, (port: number, address: string) => string>> = {
  EADDRINUSE: (port) =>
    `port ${port} is in use: choose another one with --secure-port=NUMBER, or any free one with --secure-port=0`,
  EADDRNOTAVAIL: (_, address) => `${address} is not an address of this machine: choose another one with --bind-address`,
  EACCES: (port) =>
    `this user may not listen on port ${port}: choose one above 1023 with --secure-port=NUMBER, or any free one with --secure-port=0`,
};
