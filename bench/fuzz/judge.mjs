/** Texts of a 500 that are answers of the reference, too: what only the caller did wrong, in its words. */
const MEANT_500S = [
  /^Internal error occurred: (?:requested .* without impersonating a user|failed to create RequestInfo)/,
  /without impersonating a user/,
  /^failed to create RequestInfo: /,
  /^(?:invalid resource version|strconv\.|resourceVersion: Invalid value|illegal base64|expected integer)/,
  /^(?:unable to (?:decode|parse)|couldn't get version\/kind|error (?:decoding|converting|unmarshaling)|cannot (?:restore|unmarshal)|failed to (?:create typed|decode|read))/,
  /resourceVersion (?:should|can) not be set/,
  /^(?:json|yaml|proto)[: ]|Object 'Kind' is missing|no kind "|does not match|yaml: |is not registered|required revision is a future revision|provided data does not appear to be a protobuf|unexpected EOF|illegal tag|wrong wireType/,
  /failed to create typed patch object|invalid object type|metadata\.managedFields|converting/,
  /^(?:storage|stored) .*invalid|Precondition failed/,
  /^map: .* does not contain declared merge key: /,
];
/** What the engine says of a mistake in the server's own code. */
const FAULT =
  /Cannot read|is not a function|is not iterable|undefined \(|Maximum call stack|Invalid array length|Cannot convert|reading '/;

/** What is wrong with an answer; undefined when it is well formed and meant. */
export function problemOf({ method, path }, { status, headers = {}, body, failure }) {
  if (failure !== undefined) return failure;
  const length = headers['content-length'];
  if (method !== 'HEAD' && length !== undefined && Number(length) !== body.length)
    return `Content-Length ${length}, ${body.length} bytes`;
  if (method === 'HEAD' && body.length > 0) return `HEAD with a body of ${body.length} bytes`;
  const type = String(headers['content-type'] ?? '');
  const text = /json|text|yaml/.test(type) ? body.toString() : '';
  if (FAULT.test(text.slice(0, 4000)) && status >= 500) return `a fault: ${text.slice(0, 300)}`;
  if (method === 'HEAD' || body.length === 0) return undefined;
  if (!type.startsWith('application/json') || path.includes('watch') || type.includes('as=')) return undefined;
  const value = parsed(text);
  if (value === undefined) return `no JSON: ${text.slice(0, 100)}`;
  if (status < 400) return undefined;
  if (value.kind !== 'Status' || value.code !== status)
    return `${status} with a body that is not its Status: ${text.slice(0, 200)}`;
  if (status === 500 && !MEANT_500S.some((meant) => meant.test(value.message)))
    return `500 that is not meant: ${value.message?.slice(0, 300)}`;
  return undefined;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
