import { HttpReceiver, type ReceivedPost } from '@xs2a/local-servers/http-receiver';
import { Clock } from '@xs2a/runtime/clock';
import { publishedKeys, verifyNotification } from '@xs2a/tpp-client/notification-signature';
import type { Output } from '../command-line/output.js';

export interface ListenOptions {
  readonly port: number;
  /** The bank's public address, where its keys are published. */
  readonly baseUrl: string;
  /** The status code of the listener's responses. */
  readonly answer: number;
}

/** A notification in the form in which the listener shows it. */
export interface HeardNotification {
  readonly at: string;
  readonly path: string;
  readonly requestId: string | undefined;
  readonly verified: boolean;
  /** The reason why the signature is invalid; absent if it is valid. */
  readonly refused?: string;
  readonly body: unknown;
}

/**
 * Creates a function that verifies signatures. It fetches the bank's keys again when a signature names an unknown
 * key.
 */
const verifierFor = (baseUrl: string) => {
  let keys: Awaited<ReturnType<typeof publishedKeys>> = [];
  return async (post: ReceivedPost): Promise<Pick<HeardNotification, 'verified' | 'refused'>> => {
    const signature = post.headers['x-jws-signature'];
    const verify = () =>
      verifyNotification(post.body, typeof signature === 'string' ? signature : undefined, keys);
    let verdict = verify();
    if ('refused' in verdict) {
      keys = await publishedKeys(baseUrl).catch(() => keys);
      verdict = verify();
    }
    return 'refused' in verdict ? { verified: false, refused: verdict.refused } : { verified: true };
  };
};

const bodyIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Starts a receiver on loopback that shows each notification and whether its signature is valid. Returns the
 * running server.
 */
export const listenForNotifications = async (
  { port, baseUrl, answer }: ListenOptions,
  output: Output,
): Promise<HttpReceiver> => {
  const verify = verifierFor(baseUrl);
  const realTime = new Clock(false);
  const receiver = await HttpReceiver.start(port);
  const show = async (post: ReceivedPost): Promise<void> => {
    const requestId = post.headers['x-request-id'];
    const heard: HeardNotification = {
      at: realTime.now(),
      path: post.path,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      ...(await verify(post)),
      body: bodyIn(post.body),
    };
    const sign = heard.verified ? '✓ signature verified' : `✗ ${heard.refused}`;
    output.show(heard, `${heard.at}  ${heard.path}  ${heard.requestId ?? ''}  ${sign}\n  ${post.body}`);
  };
  receiver.behaviour = (post) => {
    receiver.posts.length = 0;
    void show(post);
    return answer;
  };
  return receiver;
};
