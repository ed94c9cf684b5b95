import type { RequestRecord } from '../../requests/request-record.js';
import { formatDuration } from '../../values/duration.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { readLevel } from './level.js';
import { type FormatEntry, jsonEntry, type LogEntry, textEntry } from './log-line.js';

/** The verbosity from which every request is logged. */
const REQUESTS = 3;
const NANOSECONDS = 1e6;

export interface LoggerOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
  /** Verbosity by pattern of module names: `httplog=3,serv*=2`. A question mark matches one letter, an asterisk any number. */
  readonly modules: string;
  readonly write: (text: string) => void;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly processId: number;
}

/** The program's log. */
export interface Logger {
  log(message: string): void;
  error(error: unknown): void;
  /** Logs a request; undefined when requests are not logged. */
  readonly request: ((request: RequestRecord) => void) | undefined;
}

/** Creates the program's log. @throws Error for a list of modules that cannot be parsed. */
export function createLogger({ format, verbosity, modules, write, now, processId }: LoggerOptions): Logger {
  const line: FormatEntry = format === 'json' ? jsonEntry : textEntry(processId);
  const say = (entry: LogEntry) => write(`${line(entry, now())}\n`);
  const levels = readModules(modules);
  const levelOf = (module: string) => levels.find(({ pattern }) => pattern.test(module))?.level ?? verbosity;
  return {
    log: (message) => say({ severity: 'I', module: 'server', verbosity: 0, message }),
    error: (error) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      say({ severity: 'E', module: 'server', verbosity: 0, message });
    },
    request: levelOf('httplog') >= REQUESTS ? (request) => say(requestEntry(request)) : undefined,
  };
}

function requestEntry(request: RequestRecord): LogEntry {
  const { verb, uri, latency, userAgent, auditId, sourceAddress = '', status } = request;
  const took = formatDuration(BigInt(Math.max(0, Math.round(latency * NANOSECONDS))));
  return {
    severity: 'I',
    module: 'httplog',
    verbosity: REQUESTS,
    message: 'HTTP',
    values: [
      ['verb', verb],
      ['URI', uri],
      ['latency', took],
      ['userAgent', userAgent],
      ['audit-ID', auditId],
      ['srcIP', sourceAddress],
      ['resp', status],
    ],
  };
}

/** Parses the verbosities of modules. @throws Error in the words of the reference */
export function readModules(text: string): readonly { readonly pattern: RegExp; readonly level: number }[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', level = '', ...more] = part.split('=');
      if (name === '' || level === '' || more.length > 0)
        throw new Error(`${quote(part)} does not have the pattern=N format`);
      const escaped = name
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*+/g, '.*')
        .replaceAll('?', '.');
      return { pattern: new RegExp(`^${escaped}$`), level: levelIn(part, level) };
    });
}

function levelIn(part: string, level: string): number {
  try {
    return readLevel(level);
  } catch (error) {
    throw new Error(`parsing verbosity in ${quote(part)}: ${messageOf(error)}`, { cause: error });
  }
}
