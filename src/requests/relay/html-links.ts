import { AMPERSAND } from './rewrite-location.js';

/** Attributes that contain one URL, by tag (spec 24.7). */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};
/** Tags whose contents are raw text and contain no tags. */
const RAW = ['iframe', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp'];
/** The number of characters above which a tag is passed through unchanged. */
const MAX_TAG = 64 * 1024;
const BLOCK = 8192;

/**
 * Returns a stream that rewrites the URLs in the tags of an HTML page. It never buffers more than one tag. Start tags are written in a
 * normalized form, unless they are too long.
 */
export function linkRewriting(rewrite: (url: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const page = new Page(rewrite);
  return new TransformStream({
    transform(chunk, controller) {
      const text = page.take(textOf(chunk));
      if (text !== '') controller.enqueue(bytesOf(text));
    },
    flush(controller) {
      const rest = page.rest();
      if (rest !== '') controller.enqueue(bytesOf(rest));
    },
  });
}

/** Decodes each byte as one character (Latin-1), so that text in any superset of ASCII passes through unchanged. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += BLOCK) text += String.fromCharCode(...bytes.subarray(i, i + BLOCK));
  return text;
}
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const isLetter = (char: string): boolean => /[a-zA-Z]/.test(char);
const isSpace = (char: string): boolean =>
  char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\f';

type Mode = 'text' | 'open' | 'declaration' | 'comment' | 'skip' | 'raw' | 'tag';

class Page {
  readonly #rewrite: (url: string) => string;
  #mode: Mode = 'text';
  /** Text that was read but not written yet. */
  #buffered = '';
  /** The last characters of a comment, to detect its end. */
  #tail = '';
  /** The text that ends the current raw element. */
  #end = '';
  #tag = new Tag();
  #out: string[] = [];

  constructor(rewrite: (url: string) => string) {
    this.#rewrite = rewrite;
  }

  /**
   * Processes the next chunk of the page.
   * @returns the rewritten HTML that is complete after this chunk and has not been returned before.
   */
  take(text: string): string {
    for (let i = 0; i < text.length; ) i = this.#step(text, i);
    return this.#takeOutput();
  }

  /** Returns the text that is still buffered when the page ends. */
  rest(): string {
    // As in upstream, a tag that does not end before the page does is dropped.
    if (this.#mode !== 'tag') this.#out.push(this.#buffered);
    this.#buffered = '';
    return this.#takeOutput();
  }

  #takeOutput(): string {
    const produced = this.#out.join('');
    this.#out = [];
    return produced;
  }

  /** Writes the buffered text and enters another mode. */
  #release(mode: Mode): void {
    this.#out.push(this.#buffered);
    this.#buffered = '';
    this.#mode = mode;
  }

  /**
   * Handles one or more characters, from index `i` on.
   * @returns the index to continue at
   */
  #step(text: string, i: number): number {
    const char = text.charAt(i);
    switch (this.#mode) {
      case 'text':
        return this.#writeUpToTag(text, i, 'open');
      case 'open':
        return this.#opened(char, i);
      case 'declaration':
        if (char === '-' && this.#buffered.length < 4) this.#buffered += char;
        else return this.#hold(i, 'skip');
        if (this.#buffered !== '<!--') return i + 1;
        this.#tail = '--';
        return this.#hold(i + 1, 'comment');
      case 'comment': {
        const next = this.#writeThrough(text, i);
        this.#tail = (this.#tail + text.slice(i, next)).slice(-4);
        if (/--!?>$/.test(this.#tail)) this.#mode = 'text';
        return next;
      }
      case 'skip': {
        const next = this.#writeThrough(text, i);
        if (text.charAt(next - 1) === '>') this.#mode = 'text';
        return next;
      }
      case 'raw':
        return this.#rawText(text, i);
      case 'tag':
        return this.#tagged(char, i);
    }
  }

  #hold(next: number, mode: Mode): number {
    this.#release(mode);
    return next;
  }

  /** Writes the text before the next `<`, and buffers that character in the new mode. */
  #writeUpToTag(text: string, i: number, mode: Mode): number {
    const at = text.indexOf('<', i);
    this.#out.push(at < 0 ? text.slice(i) : text.slice(i, at));
    if (at < 0) return text.length;
    this.#buffered = '<';
    this.#mode = mode;
    return at + 1;
  }

  /** Writes the text up to and including the next `>`. */
  #writeThrough(text: string, i: number): number {
    const at = text.indexOf('>', i);
    const next = at < 0 ? text.length : at + 1;
    this.#out.push(text.slice(i, next));
    return next;
  }

  #opened(char: string, i: number): number {
    if (isLetter(char)) {
      this.#buffered = '';
      this.#tag = new Tag();
      this.#mode = 'tag';
      return i;
    }
    if (char === '!') {
      this.#buffered += char;
      this.#mode = 'declaration';
      return i + 1;
    }
    return this.#hold(i, char === '/' || char === '?' ? 'skip' : 'text');
  }

  #rawText(text: string, i: number): number {
    if (this.#buffered === '') return this.#writeUpToTag(text, i, 'raw');
    const char = text.charAt(i);
    if (this.#buffered.length < this.#end.length) {
      if (lower(char) !== this.#end.charAt(this.#buffered.length)) return this.#hold(i, 'raw');
      this.#buffered += char;
      return i + 1;
    }
    return this.#hold(i, isSpace(char) || char === '/' || char === '>' ? 'skip' : 'raw');
  }

  #tagged(char: string, i: number): number {
    const isWhole = this.#tag.take(char);
    if (isWhole) {
      this.#out.push(this.#tag.write(this.#rewrite));
      const { name } = this.#tag;
      this.#end = `</${name}`;
      this.#mode = RAW.includes(name) ? 'raw' : 'text';
    } else if (this.#tag.source.length > MAX_TAG) {
      this.#buffered = this.#tag.source;
      this.#release('skip');
    }
    return i + 1;
  }
}

type Part = 'name' | 'between' | 'key' | 'afterKey' | 'beforeValue' | 'quoted' | 'plain';

/** A start tag, parsed character by character. */
class Tag {
  /** The tag as it was written. */
  source = '<';
  name = '';
  readonly #attributes: { key: string; value: string }[] = [];
  #part: Part = 'name';
  #quote = '';

  /**
   * Reads one character.
   * @returns whether it ends the tag.
   */
  take(char: string): boolean {
    this.source += char;
    const at = this.#attributes.at(-1);
    switch (this.#part) {
      case 'quoted':
        if (char === this.#quote) this.#part = 'between';
        else if (at) at.value += char;
        return false;
      case 'plain':
        if (isSpace(char)) this.#part = 'between';
        else if (char !== '>' && at) at.value += char;
        return char === '>';
      case 'beforeValue':
        if (isSpace(char) || char === '>') return char === '>';
        this.#part = char === '"' || char === "'" ? 'quoted' : 'plain';
        this.#quote = char;
        if (this.#part === 'plain' && at) at.value = char;
        return false;
      default:
        return this.#outside(char, at);
    }
  }

  #outside(char: string, at: { key: string } | undefined): boolean {
    const part = this.#part;
    if (char === '>') return true;
    if (char === '/') this.#part = 'between';
    else if (isSpace(char)) this.#part = part === 'key' || part === 'afterKey' ? 'afterKey' : 'between';
    else if (part === 'name') this.name += lower(char);
    else if (char === '=' && part !== 'between') this.#part = 'beforeValue';
    else if (part === 'key' && at) at.key += lower(char);
    else {
      this.#attributes.push({ key: lower(char), value: '' });
      this.#part = 'key';
    }
    return false;
  }

  /** Writes the tag with its URLs rewritten. */
  write(rewrite: (url: string) => string): string {
    const links = Object.hasOwn(LINKS, this.name) ? LINKS[this.name] : undefined;
    const attributes = this.#attributes.map(({ key, value }) => {
      const plain = decodeAttribute(value);
      return ` ${key}="${encodeAttribute(links?.includes(key) ? rewrite(plain) : plain)}"`;
    });
    return `<${this.name}${attributes.join('')}${this.source.endsWith('/>') ? '/>' : '>'}`;
  }
}

const REFERENCES: Readonly<Record<string, string>> = { amp: AMPERSAND, lt: '<', gt: '>', quot: '"', apos: "'" };
const ESCAPES: Readonly<Record<string, string>> = {
  [AMPERSAND]: '&amp;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\r': '&#13;',
};

/** Resolves the character references to ASCII characters. All other references stay, because they keep their meaning in the output. */
function decodeAttribute(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/&(?:#(x?)([0-9a-f]{1,8})|(amp|lt|gt|quot|apos));/gi, (all, hex, digits, name) => {
      if (name !== undefined) return REFERENCES[name] ?? all;
      const code = Number.parseInt(digits, hex === '' ? 10 : 16);
      if (!(code > 0 && code < 128)) return all;
      return code === 38 ? AMPERSAND : String.fromCharCode(code);
    });
}

function encodeAttribute(value: string): string {
  return value.replace(/&(?:#x?[0-9a-f]+|[a-z][a-z0-9]*);|[&<>"'\r\ue000]/gi, (found) => ESCAPES[found] ?? found);
}
