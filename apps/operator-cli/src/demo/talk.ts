import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Send, Sending } from '@xs2a/tpp-client/http';
import { TppClient } from '@xs2a/tpp-client/tpp-client';

/** Thrown when a result differs from the contract. */
export class NotAsAgreed extends Error {
  override readonly name = 'NotAsAgreed';
}

const maxLineLength = 280;
const shorten = (text: string): string =>
  text.length > maxLineLength ? `${text.slice(0, maxLineLength)} …` : text;
/** Shows only the first characters of tokens. */
const masked = (text: string): string =>
  text.replaceAll(/("(?:access_token|refresh_token|clientSecret|password)":")([^"]{8})[^"]*"/g, '$1$2…"');

export class Talk {
  private steps = 0;

  constructor(readonly say: (line: string) => void = (line) => console.log(line)) {}

  heading(title: string): void {
    this.steps += 1;
    this.say(`\n${this.steps}. ${title}`);
  }

  request(method: string, path: string, details = ''): void {
    this.say(`   → ${method} ${shorten(path)}${details === '' ? '' : ` ${shorten(details)}`}`);
  }

  answer({ status, text }: Answer): void {
    this.say(`   ← ${status} ${shorten(masked(text))}`.trimEnd());
  }

  note(text: string): void {
    this.say(`     ${shorten(text)}`);
  }

  /** Ends the demo with an error if a condition does not hold. */
  must(what: string, holds: boolean, found?: unknown): void {
    if (!holds) throw new NotAsAgreed(found === undefined ? what : `${what}; it is ${JSON.stringify(found)}`);
    this.say(`   ✓ ${what}`);
  }
}

/** How long a TPP retries while the bank is down because a service was killed and is restarting, in milliseconds. */
const insistForMs = 40_000;

/**
 * Repeats a request with the same Idempotency-Key, as a TPP should, while the bank does not answer or returns 503.
 * Returns the first other response.
 */
export const insisting = async (talk: Talk, send: () => Promise<Answer>): Promise<Answer> => {
  const end = performance.now() + insistForMs;
  for (;;) {
    let problem: string;
    try {
      const answer = await send();
      if (answer.status !== 503 || performance.now() > end) return answer;
      problem = `503, Retry-After ${answer.headers.get('retry-after')}`;
    } catch (error) {
      if (performance.now() > end) throw error;
      problem = 'no answer';
    }
    talk.note(`${problem}: trying again`);
    await wait(500);
  }
};

/** The TPP of the demo, which prints every request and response, and retries while the bank is down. */
export class TalkingTpp extends TppClient {
  constructor(
    baseUrl: string,
    credentials: TppClient['credentials'],
    private readonly talk: Talk,
    sender?: Send,
  ) {
    super(baseUrl, credentials, sender);
  }

  override async call(
    method: string,
    path: string,
    token: string | undefined,
    sending: Sending = {},
  ): Promise<Answer> {
    this.talk.request(method, path, sending.json === undefined ? '' : JSON.stringify(sending.json));
    const answer = await insisting(this.talk, async () => super.call(method, path, token, sending));
    this.talk.answer(answer);
    return answer;
  }

  override async tokenRequest(form: Readonly<Record<string, string>>): Promise<Answer> {
    const { grant_type: grant, ...others } = form;
    const shown = Object.entries(others).map(([name, value]) => `${name}=${value.slice(0, 24)}`);
    this.talk.request('POST', '/oauth2/token', [`grant_type=${grant}`, ...shown].join('&'));
    const answer = await insisting(this.talk, async () => super.tokenRequest(form));
    this.talk.answer(answer);
    return answer;
  }
}
