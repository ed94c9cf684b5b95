import type { JsonObject, JsonValue } from '../json/value.js';
import { type Dialect, groupOf } from '../meta/dialect.js';
import type { UserInfo } from '../meta/user-info.js';
import type { AdmissionAttributes, ResourceForm } from './admission-plugin.js';
import { requestNamespace } from './matching/rule.js';

const OPTIONS = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};
/** The members of DeleteOptions, in the order of the wire format. */
const DELETE_OPTIONS = ['gracePeriodSeconds', 'preconditions', 'orphanDependents', 'propagationPolicy'] as const;

/**
 * Returns an AdmissionRequest without `uid`, `object` and `oldObject`. Webhooks receive it, and expressions read it as `request`.
 * @param form the version that the webhook or policy expects, which may differ from that of the request
 */
export function admissionRequest(attributes: AdmissionAttributes, form: ResourceForm, dialect: Dialect): JsonObject {
  const { subresource, name, operation, user, dryRun } = attributes;
  const namespace = requestNamespace(attributes);
  return {
    kind: { ...form.kind },
    resource: { ...form.resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...attributes.kind },
    requestResource: { ...attributes.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: requestOptions(attributes, dialect),
  };
}

function userInfo({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups?.length ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Returns the options of the request as an object. The options of a patch have the kind UpdateOptions. */
function requestOptions({ options, operation, dryRun }: AdmissionAttributes, dialect: Dialect): JsonObject | null {
  if (operation === 'CONNECT') return null;
  const out: Record<string, JsonValue> = {
    kind: OPTIONS[operation],
    apiVersion: `${groupOf(dialect, 'meta')}/v1`,
  };
  if (operation === 'DELETE') {
    // The options were read from JSON, so the cast of their values is safe.
    for (const name of DELETE_OPTIONS) if (options[name] !== undefined) out[name] = options[name] as JsonValue;
    if (dryRun) out['dryRun'] = ['All'];
    return out;
  }
  if (dryRun) out['dryRun'] = ['All'];
  const { fieldManager, sentFieldValidation } = options;
  if (typeof fieldManager === 'string' && fieldManager !== '') out['fieldManager'] = fieldManager;
  if (typeof sentFieldValidation === 'string' && sentFieldValidation !== '')
    out['fieldValidation'] = sentFieldValidation;
  return out;
}
