import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type KeyOpener, KeysNotOpened } from './key-opener.js';

export interface TransitOptions {
  /**
   * `https://HOST:PORT/v1/transit/decrypt/KEY`, followed by `?ca_file=FILE` if the KMS has a certificate from the
   * bank's own authority.
   */
  readonly url: string;
  /** The token for the KMS; absent if a proxy adds it. */
  readonly token?: string | undefined;
  readonly attempts?: number;
  /** Timeout of one request in milliseconds. */
  readonly answerWithinMs?: number;
  /** Milliseconds before the second attempt; the pause doubles before each further attempt. */
  readonly pauseMs?: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The plaintext of a master key has 44 characters, so a body longer than this cannot be the response of a KMS. */
const maxAnswerBytes = 65_536;

/**
 * The reasons why the KMS does not decrypt a key, by status. The KMS's own text is omitted because it may repeat
 * what was sent.
 */
const reasons: Readonly<Record<number, string>> = {
  400: 'it is not a ciphertext of this key of the KMS',
  403: 'the token is not valid, or may not decrypt with this key of the KMS',
  404: 'there is no such key or path in the KMS',
  503: 'the KMS is sealed or under maintenance',
};

/**
 * Uses the transit secrets engine of OpenBao and Vault (`POST /v1/transit/decrypt/KEY`) to decrypt ciphertexts
 * such as `vault:v1:…`.
 */
export const transitKeys = (options: TransitOptions): KeyOpener => ({
  open: async (ciphertext) => {
    const { attempts = 5, pauseMs = 500 } = options;
    for (let attempt = 1; ; attempt += 1) {
      const problem = await decrypt(options, ciphertext);
      if ('plaintext' in problem) return problem.plaintext;
      if (!problem.isTransient || attempt === attempts)
        throw new KeysNotOpened(
          `a master key cannot be opened at ${new URL(options.url).origin}: ${problem.reason}`,
        );
      await pause(pauseMs * 2 ** (attempt - 1));
    }
  },
});

type Decrypted = { readonly plaintext: string } | { readonly reason: string; readonly isTransient: boolean };

const decrypt = async (options: TransitOptions, ciphertext: string): Promise<Decrypted> => {
  const { answerWithinMs = 5000 } = options;
  const timeout = AbortSignal.timeout(answerWithinMs);
  let answer: Answer;
  try {
    answer = await post(options, JSON.stringify({ ciphertext }), timeout);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = timeout.aborted ? `no answer within ${answerWithinMs} ms` : text;
    return { reason, isTransient: true };
  }
  const { status } = answer;
  if (status === 200) return readPlaintext(answer.body);
  return { reason: reasons[status] ?? `it answered ${status}`, isTransient: status >= 500 || status === 429 };
};

const readPlaintext = (body: string): Decrypted => {
  try {
    const plaintext = (JSON.parse(body) as { data?: { plaintext?: unknown } }).data?.plaintext;
    if (typeof plaintext === 'string') return { plaintext };
  } catch {
    // The response is not JSON, which the error below reports.
  }
  return { reason: 'its answer has no plaintext', isTransient: false };
};

const post = async ({ url, token }: TransitOptions, body: string, signal: AbortSignal): Promise<Answer> => {
  const address = new URL(url);
  const caFile = address.searchParams.get('ca_file');
  address.search = '';
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;
  const options = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      ...(token === undefined ? {} : { 'x-vault-token': token }),
    },
    signal,
    ...(caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(address, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) response.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
};
