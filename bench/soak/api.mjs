import https from 'node:https';

/** A client over HTTP/1.1 with connections that stay open. */
export class Api {
  #target;
  #agent;

  /** @param agent the agent whose connections are used. Default: a new one. */
  constructor({ port, ca }, token = 'admin', agent = new https.Agent({ keepAlive: true, maxSockets: 32 })) {
    this.#agent = agent;
    this.#target = { host: '127.0.0.1', port, ca, headers: { authorization: `Bearer ${token}` } };
  }

  /** Sends a request; resolves with `{ status, value }`. @throws Error without a response, and for a 5xx. */
  async call(method, path, body, type = 'application/json') {
    for (let attempt = 0; ; attempt++) {
      try {
        const { status, text } = await this.#once(method, path, body, type);
        if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
        return { status, value: text === '' ? undefined : JSON.parse(text) };
      } catch (error) {
        // The connection was closed between two requests.
        if (!error.reused || attempt === 3) throw error;
      }
    }
  }

  #once(method, path, body, type) {
    const { headers, ...target } = this.#target;
    const content = body === undefined ? {} : { 'content-type': type };
    return new Promise((resolve, reject) => {
      const options = { ...target, agent: this.#agent, method, path, headers: { ...headers, ...content } };
      const request = https.request(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      request.setTimeout(30_000, () => request.destroy(new Error(`${method} ${path}: no answer`)));
      request.on('error', (error) =>
        reject(Object.assign(error, { reused: request.reusedSocket && error.code === 'ECONNRESET' })),
      );
      request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  /**
   * Opens a watch on a connection of its own.
   * @param onEvent called with each event
   * @param onEnd called once with why it ended
   * @returns `{ pause, resume, drop }` of the connection
   */
  watch(path, onEvent, onEnd) {
    let rest = '';
    let ended = false;
    const end = (why) => {
      if (!ended) onEnd(why);
      ended = true;
    };
    let answered;
    const request = https.get({ ...this.#target, agent: false, path }, (response) => {
      answered = response;
      response.setEncoding('utf8');
      response.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) if (!ended) onEvent(JSON.parse(line));
      });
      response.on('end', () => end(rest === '' ? 'ended' : `ended within an event: ${rest.slice(0, 80)}`));
      response.on('error', () => end('cut'));
    });
    request.on('error', () => end('cut'));
    return {
      pause: () => answered?.pause(),
      resume: () => answered?.resume(),
      drop() {
        ended = true;
        request.destroy();
      },
    };
  }

  close() {
    this.#agent.destroy();
  }
}
