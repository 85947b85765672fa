interface Waiting {
  readonly send: () => void;
  readonly failed: (error: Error) => void;
}
let waiting: Waiting[] = [];

/**
 * Sends at the end of this turn of the event loop, together with everything else that was to be sent in it; `failed`
 * hears what `send` throws. The NATS client makes a write to its socket for each message that comes alone: under load
 * that was a third of every service's time, and half of it is gone when the messages of a turn share one.
 */
export const sendTogether = (send: () => void, failed: (error: Error) => void): void => {
  if (waiting.push({ send, failed }) === 1) setImmediate(sendAll);
};

const sendAll = (): void => {
  const all = waiting;
  waiting = [];
  for (const { send, failed } of all) {
    try {
      send();
    } catch (error) {
      failed(error instanceof Error ? error : new Error('a message could not be sent', { cause: error }));
    }
  }
};
