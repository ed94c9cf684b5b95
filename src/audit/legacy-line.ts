import { quote } from '../values/quote.js';
import { shortTime } from '../values/time.js';
import type { AuditEvent } from './audit-event.js';

/** Returns an event as a line of the format `legacy`, without a line break. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, sourceIPs, objectRef, responseStatus } = event;
  const { username = '', groups = [] } = user;
  const members: readonly (readonly [string, string])[] = [
    ['id', event.auditID],
    ['stage', event.stage],
    ['ip', sourceIPs?.[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', username || '<none>'],
    ['groups', username === '' || groups.length === 0 ? '<none>' : quotedList(groups)],
    ['as', impersonatedUser ? impersonatedUser.username : '<self>'],
    ['asgroups', impersonatedUser?.groups ? quotedList(impersonatedUser.groups) : '<lookup>'],
    ['user-agent', event.userAgent ?? ''],
    ['namespace', objectRef?.namespace || '<none>'],
    ['uri', event.requestURI],
    ['response', responseStatus ? String(responseStatus.code ?? 0) : '<deferred>'],
  ];
  const text = members.map(([name, value]) => `${name}=${quote(value)}`).join(' ');
  return `${shortTime(event.requestReceivedTimestamp)} AUDIT: ${text}`;
}

const quotedList = (texts: readonly string[]): string => texts.map(quote).join(',');
