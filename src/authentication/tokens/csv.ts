/**
 * Returns the records of a CSV text (RFC 4180). Commas separate fields; fields in double quotes may contain commas, line ends and doubled
 * quotes. Empty lines are skipped. Comments are not supported.
 * @throws TypeError for a misplaced quote, with the line (from 1).
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let line = 1;
  let at = 0;
  const fail = (what: string, column?: number): never => {
    const place = column === undefined ? '' : `, column ${column}`;
    throw new TypeError(`parse error on line ${line}${place}: ${what}`);
  };

  function quotedField(): string {
    let field = '';
    for (;;) {
      const quote = text.indexOf('"', at + 1);
      if (quote < 0) return fail('extraneous or missing " in quoted-field');
      field += text.slice(at + 1, quote);
      at = quote + 1;
      if (text[at] !== '"') break;
      field += '"';
    }
    if (at < text.length && !/[,\n]/.test(text[at] ?? '') && !text.startsWith('\r\n', at))
      fail('extraneous or missing " in quoted-field');
    line += field.split('\n').length - 1;
    return field.replaceAll('\r\n', '\n');
  }

  function plainField(): string {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '\n') at++;
    const field =
      text[at] === '\n' || at === text.length ? text.slice(start, at).replace(/\r$/, '') : text.slice(start, at);
    const quote = field.indexOf('"');
    if (quote < 0) return field;
    const column = start + quote - text.lastIndexOf('\n', start - 1);
    return fail('bare " in non-quoted-field', column);
  }

  while (at < text.length) {
    const start = at;
    const record: string[] = [];
    for (;;) {
      record.push(text[at] === '"' ? quotedField() : plainField());
      if (text[at] !== ',') break;
      at++;
    }
    const empty = record.length === 1 && record[0] === '' && text[start] !== '"';
    if (!empty) records.push(record);
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line++;
  }
  return records;
}
