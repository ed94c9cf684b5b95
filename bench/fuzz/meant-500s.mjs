/**
 * The texts of responses with status 500 that are intended: client errors for which upstream returned 500 in the recorded responses. Any
 * other 500 is a fault of this server.
 */
const MEANT = [
  // Numbers and versions.
  /^(?:resourceVersion: Invalid value: ".*": )?strconv\.Parse(?:Uint|Int): parsing /s,
  /^resourceVersion should not be set on objects to be created$/s,
  /^etcdserver: mvcc: required revision is a future revision$/s,
  // Bodies of applies and DeleteOptions that cannot be decoded.
  /^failed to create typed (?:patch|live) object /,
  /^failed to decode managed fields: /,
  /^json: cannot unmarshal /,
  /^json: exceeded max depth/,
  /^illegal base64 data at input byte /,
  /^parsing time /,
  /^quantities must match the regular expression /,
  /^unable to parse quantity's suffix/,
  /^couldn't get version\/kind; json parse error: /,
  /^error decoding YAML: /,
  /^yaml: /,
  /^no kind ".*" is registered for version /s,
  /^provided data does not appear to be a protobuf message/,
  /^proto: /,
  // Strategic merge patches.
  /^unknown patch type: /,
  /^merging lists cannot yet be specified in the patch$/s,
  /^map: .* does not contain declared merge key: /s,
  /^cannot merge lists without merge key for /,
  /^list element types are not identical: /,
  /^no elements in any of the given slices$/s,
  /^unable to find api field in struct /,
  /^merging an object in json but data type is not struct, instead is: /,
  /^expected slice or array type, but got: struct$/s,
  /^unexpected slice of slice$/s,
  /^(?:delete|replace) patch type with no merge key defined$/s,
  /^invalid value for (?:retainKeys|delete|setElementOrder)/,
  // Roles.
  /^unsupported role reference kind: /,
  // Failures before the handler was determined: plain text.
  /^Internal Server Error: ".*": failed to create RequestInfo: unable to determine kind and namespace from url, /s,
  /^Internal Server Error: ".*": requested \[.*\] without impersonating a user$/s,
];

/** Returns whether a text shows a fault of the code, whatever its status is. */
export const isFault = (text) =>
  /Cannot (?:read|convert|set|destructure|use|access|mix|delete)|is not (?:a function|iterable|a constructor|defined|an object)|Maximum call stack|Invalid (?:array|string|count|time value)|object null is|read only property|not extensible|Reduce of empty|private member|out of memory/.test(
    text,
  );

/** Returns whether a response with status 500 is intended. */
export const isMeant500 = (message) => !isFault(message) && MEANT.some((text) => text.test(message.trimEnd()));
